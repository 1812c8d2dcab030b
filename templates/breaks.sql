-- Where series broke, by the last audit of each: at which run, by how much.
-- file=%: the golden's path; '%' stands for anything
-- metric=%: its name; '%' stands for anything
SELECT when_text AS time, run, "commit", before, after, shift, p, file, metric, runs_of
FROM last_breaks
WHERE file LIKE {file} AND metric LIKE {metric}
ORDER BY when_text, run, file, metric, runs_of
