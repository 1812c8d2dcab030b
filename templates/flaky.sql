-- Series that differ between runs of one commit, the furthest apart first.
-- file=%: the golden's path; '%' stands for anything
-- metric=%: its name; '%' stands for anything
-- since=: of runs from this day on, as in 2026-11-01
SELECT (max(mean) - min(mean)) / (CASE WHEN abs(max(mean)) > abs(min(mean)) THEN abs(max(mean)) ELSE abs(min(mean)) END) AS spread,
    count(*) AS runs, min(mean) AS least_mean, max(mean) AS most_mean, max(not_finite) AS not_finite_most,
    file, metric, "commit"
FROM current_series
WHERE file LIKE {file} AND metric LIKE {metric} AND when_text >= {since}
GROUP BY repository, file, metric, "commit"
HAVING min(mean) < max(mean) OR min(minimum) < max(minimum) OR min(maximum) < max(maximum)
    OR min(last_value) < max(last_value) OR min(not_finite) < max(not_finite) OR min(n_steps) < max(n_steps)
ORDER BY spread IS NULL, spread DESC, file, metric, "commit"
