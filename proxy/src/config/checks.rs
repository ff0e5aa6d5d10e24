//! Checks that options do not contradict each other.

use std::collections::BTreeSet;

use super::contradiction::Contradiction;
use super::{AuthMode, Config, Tenant};
use crate::identity::DEFAULT_TENANT;

impl Config {
    /// Checks that options do not contradict each other. The error names the option.
    pub fn check(&self) -> Result<(), Contradiction> {
        self.check_sources()?;
        self.check_tenants()?;
        self.check_tokens()?;
        self.check_rights()?;
        self.check_estimates()?;
        self.check_address()
    }

    fn check_estimates(&self) -> Result<(), Contradiction> {
        let (asked, refused) = (self.confirm_estimated_rows, self.max_estimated_rows);
        if refused == 0 || asked < refused {
            return Ok(());
        }
        let limit = self.named("max_estimated_rows");
        let reason = format!(
            "{asked} must be below the {refused} of {limit}, above which a statement never runs"
        );
        Err(self.wrong("confirm_estimated_rows", &reason))
    }

    fn check_sources(&self) -> Result<(), Contradiction> {
        let mut given = Vec::new();
        for (option, is_given) in [
            ("database", self.source.database.is_some()),
            ("database_file", self.source.database_file.is_some()),
            ("catalog", self.source.catalog.is_some()),
            ("tenants", !self.tenants.is_empty()),
        ] {
            if is_given {
                given.push(option);
            }
        }
        match given[..] {
            [] => Err(Contradiction::new(
                "no data source: set --database PATH|URL, --database-file FILE or --catalog FILE, or define [[tenants]] in \
                 the configuration file",
            )),
            [_] => self.check_database(),
            [first, second, ..] => Err(self.wrong(
                second,
                &format!(
                    "only one data source is allowed; {} already names one",
                    self.named(first)
                ),
            )),
        }
    }

    /// Checks the form of the address, and that only one option names the driver.
    fn check_database(&self) -> Result<(), Contradiction> {
        let Some(address) = &self.source.database else { return Ok(()) };
        address.check().map_err(|fault| self.wrong("database", &fault))?;
        if address.is_adbc() && self.driver.is_some() {
            let database = self.named("database");
            let reason = format!("{database} already names the driver (adbc_repeated_driver)");
            return Err(self.wrong("driver", &reason));
        }
        Ok(())
    }

    fn check_tenants(&self) -> Result<(), Contradiction> {
        let mut names = BTreeSet::new();
        for (index, tenant) in self.tenants.iter().enumerate() {
            let place = format!("tenants.{index}");
            tenant.check().map_err(|error| self.wrong(&place, &error.to_string()))?;
            if !names.insert(&tenant.name) {
                return Err(self.wrong(&place, &format!("tenant {} is defined twice", tenant.name)));
            }
        }
        if self.tenants.is_empty() {
            return Ok(());
        }
        for (option, is_given) in
            [("pack", self.pack.is_some()), ("lessons", self.lessons.is_some())]
        {
            if is_given {
                return Err(self
                    .wrong(option, "cannot be combined with [[tenants]]; set it in each tenant"));
            }
        }
        let only_default = self.tenants.len() == 1 && self.tenants[0].name == DEFAULT_TENANT;
        if self.access.auth == AuthMode::None && !only_default {
            return Err(self.wrong("tenants", "[[tenants]] needs --auth keys or --auth jwt"));
        }
        Ok(())
    }

    fn check_tokens(&self) -> Result<(), Contradiction> {
        let access = &self.access;
        let options = [
            ("jwks", access.jwks.is_some()),
            ("jwt_issuer", access.jwt_issuer.is_some()),
            ("jwt_audience", access.jwt_audience.is_some()),
        ];
        for (option, is_given) in options {
            if access.auth == AuthMode::Jwt && !is_given {
                let flag = option.replace('_', "-");
                return Err(self.wrong("auth", &format!("--auth jwt also needs --{flag}")));
            }
            if access.auth != AuthMode::Jwt && is_given {
                return Err(self.wrong(option, "only used with --auth jwt"));
            }
        }
        Ok(())
    }

    fn check_address(&self) -> Result<(), Contradiction> {
        if self.access.auth == AuthMode::None && !self.listen.ip().is_loopback() {
            return Err(self.wrong(
                "listen",
                &format!(
                    "address {} can be reached by other machines, where everyone would have to say who they are: add --auth keys (and make keys by `wherefore-proxy key add`) or --auth jwt, or listen on a loopback address such as 127.0.0.1:8080",
                    self.listen
                ),
            ));
        }
        Ok(())
    }

    /// Error about an option, with its location if it comes from a file.
    pub(super) fn wrong(&self, option: &str, reason: &str) -> Contradiction {
        let name = option.split('.').next().unwrap_or(option);
        match self.origins.get(option).or_else(|| self.origins.get(name)) {
            Some(place) => Contradiction::new(format!("{place}: {name}: {reason}")),
            None => Contradiction::new(format!("--{}: {reason}", name.replace('_', "-"))),
        }
    }

    /// Name of an option, with its location if it comes from a file.
    pub(crate) fn named(&self, option: &str) -> String {
        match self.origins.get(option) {
            Some(place) => format!("{option} ({place})"),
            None => format!("--{}", option.replace('_', "-")),
        }
    }

    /// Name of an option of a tenant, with the location of the tenant if it comes from a file.
    pub(crate) fn named_of(&self, tenant: &Tenant, option: &str) -> String {
        let Some(index) = self.tenants.iter().position(|other| other.name == tenant.name) else {
            return self.named(option);
        };
        match self.origins.get(&format!("tenants.{index}")) {
            Some(place) => format!("{option} of the tenant at {place}"),
            None => format!("{option} of tenant {}", tenant.name),
        }
    }
}
