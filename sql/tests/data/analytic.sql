-- both
SELECT count(*) FROM users;
-- both
SELECT u.name, sum(o.amount) AS total FROM users u LEFT JOIN orders o ON o.user_id = u.id GROUP BY u.id, u.name HAVING sum(o.amount) > 100 ORDER BY total DESC NULLS LAST LIMIT 10;
-- both
WITH totals AS (SELECT user_id, sum(amount) AS total FROM orders GROUP BY user_id), ranked AS (SELECT user_id, total, rank() OVER (ORDER BY total DESC) AS place FROM totals) SELECT u.name, r.total FROM ranked r JOIN users u ON u.id = r.user_id WHERE r.place <= 5;
-- both
SELECT name, row_number() OVER (PARTITION BY city ORDER BY created_at) AS n FROM users;
-- both
SELECT user_id, amount, sum(amount) OVER (PARTITION BY user_id ORDER BY created_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running FROM orders;
-- both
SELECT status, count(*) FILTER (WHERE amount > 100) AS large, count(DISTINCT user_id) AS people FROM orders GROUP BY status;
-- both
SELECT CASE WHEN amount > 100 THEN 'large' WHEN amount > 10 THEN 'middle' ELSE 'small' END AS size, count(*) FROM orders GROUP BY CASE WHEN amount > 100 THEN 'large' WHEN amount > 10 THEN 'middle' ELSE 'small' END;
-- both
SELECT u.name FROM users u WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.user_id = u.id);
-- both
SELECT name FROM users WHERE id IN (SELECT user_id FROM orders WHERE amount > (SELECT avg(amount) FROM orders));
-- both
SELECT e.name AS employee, m.name AS manager FROM users e LEFT JOIN users m ON e.manager_id = m.id;
-- both
SELECT p.name, sum(oi.qty * p.price) AS revenue FROM order_items oi JOIN products p ON p.id = oi.product_id JOIN orders o ON o.id = oi.order_id WHERE o.status <> 'cancelled' GROUP BY p.name ORDER BY 2 DESC;
-- both
SELECT city FROM users UNION SELECT status FROM orders ORDER BY city;
-- both
SELECT id FROM users EXCEPT SELECT user_id FROM orders;
-- both
SELECT amount, lag(amount, 1) OVER (ORDER BY created_at) AS previous, amount - lag(amount, 1) OVER (ORDER BY created_at) AS change FROM orders;
-- both
SELECT round(100.0 * sum(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) / nullif(count(*), 0), 1) AS share FROM orders;
-- both
SELECT x.city, x.n FROM (SELECT city, count(*) AS n FROM users GROUP BY city) AS x WHERE x.n > 1;
-- both
SELECT name FROM users WHERE name LIKE 'A%' ESCAPE '!' AND (city IS NOT NULL OR email IS NULL);
-- both
SELECT coalesce(city, 'unknown') AS place, count(*) AS n FROM users GROUP BY coalesce(city, 'unknown');
-- both
SELECT u.name, (SELECT max(o.created_at) FROM orders o WHERE o.user_id = u.id) AS latest FROM users u;
-- both
SELECT id, name FROM users WHERE (id, name) IN (SELECT id, name FROM users);
-- both
SELECT DISTINCT city FROM users WHERE city BETWEEN 'A' AND 'M' ORDER BY city LIMIT 20 OFFSET 20;
-- both
WITH RECURSIVE chain AS (SELECT id, manager_id FROM users WHERE id = 1 UNION SELECT u.id, u.manager_id FROM users u JOIN chain c ON u.manager_id = c.id) SELECT count(*) FROM chain;
-- both
SELECT upper(trim(name)), length(email), replace(city, ' ', '-'), substr(name, 1, 3) FROM users;
-- both
SELECT ntile(4) OVER (ORDER BY amount) AS quartile, amount FROM orders;
-- both
SELECT CAST(amount AS INTEGER), CAST(id AS TEXT), abs(amount), round(amount, 2) FROM orders;
-- postgres
SELECT date_trunc('month', created_at) AS month, sum(amount) AS total FROM orders GROUP BY 1 ORDER BY 1;
-- postgres
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY amount) AS median FROM orders;
-- postgres
SELECT user_id, array_agg(status ORDER BY created_at) AS history, string_agg(DISTINCT status, ', ') FROM orders GROUP BY user_id;
-- postgres
SELECT m.month, count(o.id) FROM generate_series(DATE '2024-01-01', DATE '2024-12-01', INTERVAL '1 month') AS m(month) LEFT JOIN orders o ON date_trunc('month', o.created_at) = m.month GROUP BY m.month;
-- postgres
SELECT u.name, l.amount FROM users u CROSS JOIN LATERAL (SELECT o.amount FROM orders o WHERE o.user_id = u.id ORDER BY o.created_at DESC LIMIT 1) l;
-- postgres
SELECT status, extract(dow FROM created_at) AS day, count(*) FROM orders WHERE created_at >= now() - INTERVAL '90 days' GROUP BY GROUPING SETS ((status), (status, extract(dow FROM created_at)));
-- postgres
SELECT name FROM users WHERE email ILIKE '%@example.com' AND name !~ '^[0-9]';
-- postgres
SELECT to_char(created_at, 'YYYY-"Q"Q') AS quarter, age(max(created_at), min(created_at)) FROM orders GROUP BY 1;
-- postgres
SELECT amount::numeric(12, 2), created_at::date, created_at AT TIME ZONE 'Europe/Berlin' FROM orders;
-- postgres
SELECT to_jsonb(name) ->> 0, split_part(email, '@', 2), regexp_replace(name, '\s+', ' ', 'g') FROM users;
-- sqlite
SELECT strftime('%Y-%m', created_at) AS month, sum(amount) FROM orders GROUP BY month ORDER BY month;
-- sqlite
SELECT name FROM users WHERE created_at >= date('now', '-30 days') AND name GLOB 'A*';
-- sqlite
SELECT group_concat(name, ', ') FROM users GROUP BY city;
-- sqlite
SELECT j.value FROM users u, json_each(u.email) AS j;
-- sqlite
SELECT name, iif(city IS NULL, 'none', city) AS place FROM users WHERE place <> 'none' ORDER BY lower(place);
-- sqlite
SELECT printf('%.2f', amount) AS shown, julianday('now') - julianday(created_at) AS days FROM orders;
