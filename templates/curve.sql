-- A metric's values, step by step, in each run.
-- file: the golden's path; '%' stands for anything
-- metric: its name; '%' stands for anything
-- since=: of runs from this day on, as in 2026-11-01
SELECT when_text AS time, run, "commit", file, metric, step, value
FROM values_long
WHERE file LIKE {file} AND metric LIKE {metric} AND when_text >= {since}
ORDER BY file, metric, when_text, run, step
