//! Word lists, parsed from the files in `words/`.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};

pub(crate) struct Words {
    pub(crate) clinic: Clinic,
    pub(crate) cultures: Vec<Culture>,
    pub(crate) countries: Vec<Country>,
    pub(crate) products: Products,
    pub(crate) staff: Staff,
    pub(crate) trade: Trade,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CultureFile {
    cultures: Vec<Culture>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlaceFile {
    countries: Vec<Country>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Culture {
    pub(crate) countries: Vec<String>,
    pub(crate) dial_code: String,
    pub(crate) number_first: bool,
    pub(crate) female: Vec<String>,
    pub(crate) male: Vec<String>,
    pub(crate) surnames: Vec<String>,
    pub(crate) streets: Vec<String>,
    pub(crate) companies: Vec<String>,
    pub(crate) trades: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Country {
    pub(crate) iso_code: String,
    pub(crate) name: String,
    pub(crate) continent: String,
    pub(crate) currency_code: String,
    pub(crate) weight: u32,
    pub(crate) cities: Vec<City>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct City {
    pub(crate) name: String,
    /// Thousands.
    #[serde(default)]
    pub(crate) population: Option<u32>,
    #[serde(default)]
    pub(crate) capital: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Staff {
    pub(crate) departments: Vec<Department>,
    pub(crate) delivery_methods: Vec<DeliveryMethod>,
    pub(crate) themes: Vec<String>,
    pub(crate) languages: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Department {
    pub(crate) name: String,
    pub(crate) cost_center: String,
    pub(crate) budget: i64,
    pub(crate) title: String,
    pub(crate) staff: u32,
    pub(crate) salary: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeliveryMethod {
    pub(crate) name: String,
    pub(crate) fee: i64,
    #[serde(default)]
    pub(crate) max_weight: Option<u32>,
    pub(crate) express: bool,
    pub(crate) weight: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Trade {
    pub(crate) customer_categories: Vec<CustomerCategory>,
    pub(crate) suppliers: Vec<String>,
    pub(crate) movement_reasons: Vec<String>,
    pub(crate) warehouses: Vec<Warehouse>,
    pub(crate) customer_notes: Vec<String>,
    pub(crate) supplier_notes: Vec<String>,
    pub(crate) product_notes: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CustomerCategory {
    pub(crate) name: String,
    /// Hundredths of a percent.
    pub(crate) discount: i64,
    pub(crate) weight: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Warehouse {
    pub(crate) name: String,
    pub(crate) city: String,
    pub(crate) capacity: u32,
    pub(crate) refrigerated: bool,
    pub(crate) opens: String,
    pub(crate) closes: String,
    pub(crate) weight: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Products {
    pub(crate) brands: Vec<String>,
    pub(crate) colors: Vec<Color>,
    pub(crate) categories: Vec<ProductCategory>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Color {
    pub(crate) name: String,
    pub(crate) hex: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProductCategory {
    pub(crate) name: String,
    /// Hundredths of a percent.
    pub(crate) tax: i64,
    #[serde(default)]
    pub(crate) materials: Vec<String>,
    pub(crate) lines: Vec<ProductLine>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProductLine {
    pub(crate) name: String,
    /// Cents.
    pub(crate) price: i64,
    /// Number of colours; `None` if the line has a single colour.
    #[serde(default)]
    pub(crate) colors: usize,
    #[serde(default)]
    pub(crate) sizes: bool,
    /// Whether product names leave out attributes such as the material.
    #[serde(default)]
    pub(crate) plain: bool,
    /// Grams.
    pub(crate) weight: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Clinic {
    pub(crate) professions: Vec<Profession>,
    pub(crate) wound_types: Vec<WoundType>,
    pub(crate) organisms: Vec<String>,
    pub(crate) antibiotics: Vec<String>,
    pub(crate) dressings: Vec<Dressing>,
    pub(crate) goals: Vec<String>,
    pub(crate) visit_reasons: Vec<String>,
    pub(crate) notes_improving: Vec<String>,
    pub(crate) notes_stable: Vec<String>,
    pub(crate) notes_worsening: Vec<String>,
    pub(crate) notes_general: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Profession {
    pub(crate) name: String,
    pub(crate) staff: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WoundType {
    pub(crate) name: String,
    pub(crate) category: String,
    #[serde(default)]
    pub(crate) staged: bool,
    /// Square centimetres.
    pub(crate) area: f64,
    pub(crate) locations: Vec<String>,
    pub(crate) weight: u32,
    pub(crate) description: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Dressing {
    pub(crate) name: String,
    pub(crate) material: String,
    /// Cents.
    pub(crate) cost: i64,
    pub(crate) antimicrobial: bool,
}

impl Words {
    pub(crate) fn read() -> Result<Self> {
        let cultures: CultureFile =
            parse("words/cultures.toml", include_str!("../words/cultures.toml"))?;
        let places: PlaceFile = parse("words/places.toml", include_str!("../words/places.toml"))?;
        Ok(Self {
            clinic: parse("words/clinic.toml", include_str!("../words/clinic.toml"))?,
            cultures: cultures.cultures,
            countries: places.countries,
            products: parse("words/products.toml", include_str!("../words/products.toml"))?,
            staff: parse("words/staff.toml", include_str!("../words/staff.toml"))?,
            trade: parse("words/trade.toml", include_str!("../words/trade.toml"))?,
        })
    }
}

fn parse<T: DeserializeOwned>(file: &'static str, text: &str) -> Result<T> {
    toml::from_str(text).map_err(|error| Error::DataFile { file, message: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn every_country_has_a_culture_to_draw_names_from() {
        let words = Words::read().unwrap();
        for country in &words.countries {
            let holders = words
                .cultures
                .iter()
                .filter(|culture| culture.countries.contains(&country.iso_code))
                .count();
            assert_eq!(holders, 1, "{}", country.name);
        }
    }
}
