-- What the last audit of each series found: first those that broke, then those that fail most.
-- file=%: the golden's path; '%' stands for anything
-- metric=%: its name; '%' stands for anything
SELECT verdict, runs, breaks, failed_today, failed_recommended, spread, tolerance, file, metric, runs_of
FROM last_verdicts
WHERE file LIKE {file} AND metric LIKE {metric}
ORDER BY breaks DESC, failed_today DESC, spread IS NULL, spread DESC, file, metric, runs_of
