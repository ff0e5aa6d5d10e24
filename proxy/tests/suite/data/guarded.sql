-- The tables that the hostile statements are about; all engines read it.
CREATE TABLE users (
    id INTEGER PRIMARY KEY, name TEXT, email TEXT, city TEXT, created_at TIMESTAMP, update_time TIMESTAMP,
    manager_id INTEGER REFERENCES users (id)
);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users (id), amount DECIMAL(10,2), status TEXT, created_at TIMESTAMP
);
CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, price DECIMAL(10,2));
CREATE TABLE order_items (
    order_id INTEGER REFERENCES orders (id), product_id INTEGER REFERENCES products (id), qty INTEGER
);
CREATE TABLE "delete" (id INTEGER);
INSERT INTO users VALUES (1, 'Ann', NULL, 'Paris', '2024-01-01 10:00:00', NULL, NULL);
INSERT INTO users VALUES (2, 'Bob', 'x', 'Oslo', '2024-02-01 10:00:00', NULL, 1);
INSERT INTO orders VALUES (1, 1, 10.50, 'paid', '2024-03-01 10:00:00');
