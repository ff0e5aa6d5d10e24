//! Product categories, colours and products.

use crate::dataset::{Dataset, row};
use crate::value::Decimal;

use super::random::{Random, Shares};
use super::{World, key};

pub(super) struct Product {
    pub(super) id: i64,
    /// Current price in cents.
    pub(super) unit_price: i64,
    /// Cents.
    pub(super) cost_price: i64,
    /// Hundredths of a percent.
    pub(super) tax_rate: i64,
    pub(super) launched: i32,
    pub(super) is_discontinued: bool,
    pub(super) is_medical: bool,
}

impl Product {
    /// Whether the product was on sale on a day.
    pub(super) fn sold_on(&self, day: i32) -> bool {
        self.launched <= day && !(self.is_discontinued && day > -150)
    }
}

/// Products with their weights in sales.
pub(super) struct Range {
    pub(super) products: Vec<Product>,
    pub(super) shares: Shares,
}

const SIZES: [(&str, i64); 4] = [("Small", 70), ("Medium", 100), ("Large", 150), ("X-Large", 210)];

pub(super) fn add(data: &mut Dataset, world: &World<'_>) -> Range {
    let mut random = Random::for_part("products");
    let words = &world.words.products;
    for (place, color) in words.colors.iter().enumerate() {
        row!(data, colors, {
            color_id: key(place),
            name: &color.name,
            hex_code: &color.hex,
        });
    }
    let mut products: Vec<Product> = Vec::new();
    for (place, category) in words.categories.iter().enumerate() {
        row!(data, product_categories, {
            product_category_id: key(place),
            name: &category.name,
            tax_rate: Decimal::cents(category.tax),
        });
        for line in &category.lines {
            let mut palette: Vec<usize> = (0..words.colors.len()).collect();
            random.shuffle(&mut palette);
            palette.truncate(line.colors);
            let colors: Vec<Option<usize>> = if palette.is_empty() {
                vec![None]
            } else {
                palette.into_iter().map(Some).collect()
            };
            let sizes: Vec<Option<(&'static str, i64)>> =
                if line.sizes { SIZES.iter().copied().map(Some).collect() } else { vec![None] };
            let brand = random.pick(&words.brands).clone();
            let launched = -random.between(200..=2600);
            let discount = random.amount(88..=97);
            let cost_share = random.amount(42..=66);
            for color in colors {
                for &size in &sizes {
                    let id = key(products.len());
                    let percent = size.map_or(100, |(_, percent)| percent);
                    // Recommended prices end with the digit 9.
                    let list_price = (line.price * percent / 100 / 10 * 10 + 9).max(29);
                    let unit_price = list_price * discount / 100;
                    let cost_price = unit_price * cost_share / 100;
                    let color_name = color.map(|place| words.colors[place].name.as_str());
                    let launched = launched + random.between(0..=180);
                    let is_discontinued = random.chance(70);
                    row!(data, products, {
                        product_id: id,
                        sku: format!("{}{:02}-{id:04}", &category.name[..2].to_uppercase(), place + 1),
                        name: name_of(&line.name, color_name, size.map(|(name, _)| name)),
                        product_category_id: key(place),
                        color_id: color.map(key),
                        size: size.map(|(name, _)| name),
                        brand: &brand,
                        unit_price: Decimal::cents(unit_price),
                        list_price: Decimal::cents(list_price),
                        cost_price: Decimal::cents(cost_price),
                        weight_kg: random.chance(960).then_some(Decimal { units: line.weight * percent / 100, scale: 3 }),
                        units_per_pack: *random.pick(&[1, 1, 1, 6, 10, 12, 24]),
                        is_discontinued: is_discontinued,
                        launched_on: world.calendar.date(launched),
                        attributes: (!line.plain && !category.materials.is_empty()).then(|| attributes(&mut random, &category.materials)),
                        description: random.chance(820).then(|| describe(&mut random, &world.words.trade.product_notes)),
                    });
                    products.push(Product {
                        id,
                        unit_price,
                        cost_price,
                        tax_rate: category.tax,
                        launched,
                        is_discontinued,
                        is_medical: category.name == "Medical Supplies",
                    });
                }
            }
        }
    }
    let mut weights: Vec<u64> =
        (0..products.len() as u64).map(|rank| 1_000_000 / (rank + 12)).collect();
    random.shuffle(&mut weights);
    Range { products, shares: Shares::new(weights) }
}

fn name_of(line: &str, color: Option<&str>, size: Option<&str>) -> String {
    let mut name = line.to_owned();
    for part in [color, size].into_iter().flatten() {
        name.push(' ');
        name.push_str(part);
    }
    name
}

fn attributes(random: &mut Random, materials: &[String]) -> String {
    format!(
        r#"{{"material": "{}", "dishwasher_safe": {}, "warranty_months": {}}}"#,
        random.pick(materials),
        random.chance(500),
        random.pick(&[12, 24, 36]),
    )
}

fn describe(random: &mut Random, notes: &[String]) -> String {
    let first = random.pick(notes);
    let second = random.pick(notes);
    if first == second { first.clone() } else { format!("{first} {second}") }
}
