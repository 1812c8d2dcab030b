 "story": {
  "old_side": "HEAD",
  "new_side": "the working tree",
  "only_failing": false,
  "command": "regild compare",
  "root": "tests/functional_tests/test_cases",
  "updated": 6,
  "heads": [
   {"kind": "good", "text": "no row of 69 needs a look"},
   {"kind": "quiet", "text": "noise not measured"}
  ],
  "cards": [
   {"metric": "0/cuda_graph_request_count_map/24", "only": "0/cuda_graph_request_count_map/24", "class": "value", "n": 3, "changed": 0, "looks": 0, "says": "all 3 equal", "worst_metric": "0/cuda_graph_request_count_map/24", "worst": {"file": "tests/functional_tests/test_cases/gpt/gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch/golden_values_dev_dgx_h100.json", "stage": "gpt", "test": "gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch", "variant": "dev_dgx_h100", "name": "gpt/gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch [dev_dgx_h100]", "avg_rel_diff": 0, "says": "equal"}},
   {"metric": "*/logprobs", "class": "value", "n": 6, "changed": 0, "looks": 0, "says": "all 6 equal", "worst_metric": "0/logprobs", "worst": {"file": "tests/functional_tests/test_cases/gpt/gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch/golden_values_dev_dgx_h100.json", "stage": "gpt", "test": "gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch", "variant": "dev_dgx_h100", "name": "gpt/gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch [dev_dgx_h100]", "avg_rel_diff": 0, "says": "equal"}},
   {"metric": "*/step_count", "class": "value", "n": 6, "changed": 0, "looks": 0, "says": "all 6 equal", "worst_metric": "0/step_count", "worst": {"file": "tests/functional_tests/test_cases/gpt/gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch/golden_values_dev_dgx_h100.json", "stage": "gpt", "test": "gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch", "variant": "dev_dgx_h100", "name": "gpt/gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch [dev_dgx_h100]", "avg_rel_diff": 0, "says": "equal"}},
   {"metric": "*/latency", "class": "time", "n": 6, "changed": 0, "looks": 0, "says": "all 6 equal", "worst_metric": "0/latency", "worst": {"file": "tests/functional_tests/test_cases/gpt/gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch/golden_values_dev_dgx_h100.json", "stage": "gpt", "test": "gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch", "variant": "dev_dgx_h100", "name": "gpt/gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch [dev_dgx_h100]", "avg_rel_diff": 0, "says": "equal"}},
   {"metric": "throughput", "only": "throughput", "class": "rate", "n": 6, "changed": 0, "looks": 0, "says": "all 6 equal", "worst_metric": "throughput", "worst": {"file": "tests/functional_tests/test_cases/gpt/gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch/golden_values_dev_dgx_h100.json", "stage": "gpt", "test": "gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch", "variant": "dev_dgx_h100", "name": "gpt/gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch [dev_dgx_h100]", "avg_rel_diff": 0, "says": "equal on average"}},
   {"metric": "*/generated_text", "class": "value", "n": 6, "changed": 0, "looks": 0, "says": "0 of 6 differ", "worst_metric": "0/generated_text", "worst": {"file": "tests/functional_tests/test_cases/gpt/gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch/golden_values_dev_dgx_h100.json", "stage": "gpt", "test": "gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch", "variant": "dev_dgx_h100", "name": "gpt/gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch [dev_dgx_h100]", "avg_rel_diff": null, "says": "equal"}},
   {"metric": "*/generated_tokens", "class": "value", "n": 6, "changed": 0, "looks": 0, "says": "0 of 6 differ", "worst_metric": "0/generated_tokens", "worst": {"file": "tests/functional_tests/test_cases/gpt/gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch/golden_values_dev_dgx_h100.json", "stage": "gpt", "test": "gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch", "variant": "dev_dgx_h100", "name": "gpt/gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch [dev_dgx_h100]", "avg_rel_diff": null, "says": "equal"}},
   {"metric": "*/input_prompt", "class": "value", "n": 6, "changed": 0, "looks": 0, "says": "0 of 6 differ", "worst_metric": "0/input_prompt", "worst": {"file": "tests/functional_tests/test_cases/gpt/gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch/golden_values_dev_dgx_h100.json", "stage": "gpt", "test": "gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch", "variant": "dev_dgx_h100", "name": "gpt/gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch [dev_dgx_h100]", "avg_rel_diff": null, "says": "equal"}}
  ],
  "lines": [
   {"kind": "done", "text": "6 goldens compared: the working tree against HEAD"},
   {"kind": "shape", "text": "throughput: step 1 new in 6 of 6 goldens; all shared steps equal"},
   {"kind": "changed", "text": "all shared values are equal"},
   {"kind": "measured", "text": "noise was not measured: levels are configured (regild audit measures it)"},
   {"kind": "next", "text": "next: nothing needs a look"}
  ],
  "shapes": [
   {"kind": "steps new", "metric": "throughput", "metrics": 1, "steps": "1", "rest_equal": true, "goldens": 6, "of": 6, "others": 5, "file": "tests/functional_tests/test_cases/gpt/gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch/golden_values_dev_dgx_h100.json", "first_metric": "throughput", "name": "gpt/gpt_dynamic_inference_tp1_pp1_583m_cuda_graphs_fp8_logitsmatch [dev_dgx_h100]", "text": "throughput: step 1 new in 6 of 6 goldens; all shared steps equal"}
  ],
  "groups": [],
  "quiet_groups": [],
  "same_groups": 16,
  "unchanged_rows": 69,
  "rows_total": 69,
  "apart": [],
  "review": [],
  "gaps": {
   "n": 45,
   "old_only": 0,
   "new_only": 0,
   "no_steps": 45
  },
  "interpretation": true,
  "all_command": "regild compare --top 0",
  "files": 6,
  "total": 39,
  "new_files": [],
  "removed_files": [],
  "unreadable_files": []
 },
