-- A shop small enough to count by hand; both engines read it.
CREATE TABLE customers (
    id INTEGER PRIMARY KEY,
    name VARCHAR(60) NOT NULL,
    country VARCHAR(40),
    email VARCHAR(80) UNIQUE
);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers,
    ordered_on DATE NOT NULL,
    total NUMERIC(10,2),
    status VARCHAR(10) NOT NULL
);
CREATE VIEW open_orders AS SELECT id, customer_id, total FROM orders WHERE status = 'open';
INSERT INTO customers VALUES
    (1, 'Ann', 'Brazil', 'ann@example.com'),
    (2, 'Bob', 'Norway', 'bob@example.com'),
    (3, 'Cleo', 'Brazil', NULL),
    (4, 'Dé', NULL, NULL);
INSERT INTO orders VALUES
    (1, 1, '2024-01-05', 10.50, 'open'),
    (2, 1, '2024-02-06', 20.25, 'paid'),
    (3, 2, '2024-03-07', 30.00, 'paid'),
    (4, 3, '2024-03-08', NULL, 'open');
