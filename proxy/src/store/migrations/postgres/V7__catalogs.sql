-- The catalog of each data source as it was read last, for starts while the database is away.
CREATE TABLE catalogs (
    tenant TEXT NOT NULL,
    address TEXT NOT NULL,
    catalog TEXT NOT NULL,
    PRIMARY KEY (tenant, address)
);
