-- What the runs of a commit measured.
-- commit: its SHA, or the beginning of it
-- file=%: the golden's path; '%' stands for anything
-- metric=%: its name; '%' stands for anything
SELECT file, metric, run, n_steps, mean, last_value, not_finite
FROM current_series
WHERE substr("commit", 1, length({commit})) = {commit} AND file LIKE {file} AND metric LIKE {metric}
ORDER BY file, metric, run
