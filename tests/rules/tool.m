% SPDX-License-Identifier: Apache-2.0
% usage: octave-cli tool.m FOLDER: as tool.py.
1;
function x = values (text, type)
  classes = struct ("float64", "double", "float32", "single", "int64", "int64", "int32", "int32", "uint8", "uint8");
  x = zeros (0, 1, classes.(type));
  if (! strcmp (text, "-"))
    x = hex2num (strsplit (text, ","), classes.(type));
  endif
endfunction

folder = argv (){1};
printf ("Octave %s\n", version ());
lines = strsplit (strtrim (fileread (fullfile (folder, "pairs"))), "\n");
rules = strsplit (strtrim (fileread (fullfile (folder, "rules"))), "\n");
for k = 1:numel (rules)
  rule = strsplit (rules{k}, " ");
  if (! strcmp (rule{2}, "octave-assert"))
    continue;
  endif
  tol = {};
  if (numel (rule) > 2)
    tol = {str2double(strsplit (rule{3}, "="){2})};
  endif
  for i = 1:numel (lines)
    pair = strsplit (lines{i}, " ");
    verdict = "passes";
    try
      assert (values (pair{5}, pair{3}), values (pair{4}, pair{2}), tol{:});
    catch
      verdict = "fails";
    end_try_catch
    printf ("%s %s %s\n", rule{1}, pair{1}, verdict);
  endfor
endfor
