//! Generates the rows; equal dates give equal rows.

mod application;
mod calendar;
mod clinic;
mod customers;
mod invoices;
mod orders;
mod people;
mod products;
mod purchasing;
mod random;
mod stock;
mod wounds;

use jiff::civil::Date;

use crate::dataset::Dataset;
use crate::error::{Error, Result};
use crate::words::Words;

use calendar::Calendar;

/// Days of business history.
const HISTORY_DAYS: i32 = 1095;

/// Inputs of every part of the generator.
struct World<'w> {
    calendar: Calendar,
    words: &'w Words,
}

/// Generates all tables, with dates up to `today` and a few appointments after it.
pub fn generate(today: Date) -> Result<Dataset> {
    if !(1900..=9000).contains(&today.year()) {
        return Err(Error::DayOutOfRange(today));
    }
    let words = Words::read()?;
    let world = World { calendar: Calendar::new(today), words: &words };
    let mut data = Dataset::default();

    let organisation = application::add(&mut data, &world);
    let products = products::add(&mut data, &world);
    let suppliers = purchasing::add_suppliers(&mut data, &world, &organisation, &products);
    let stocked = stock::add(&mut data, &world, &organisation, &products);
    purchasing::add_orders(&mut data, &world, &organisation, &suppliers, stocked);
    let last_supplier = suppliers.last().map_or(1, |supplier| supplier.id);
    let customers = customers::add(&mut data, &world, &organisation);
    let shipments = orders::add(&mut data, &world, &organisation, &customers, &products);
    invoices::add(&mut data, &world, &customers, &products, shipments);
    clinic::add(&mut data, &world, &organisation, last_supplier);
    Ok(data)
}

/// Primary key of the row at a zero-based index.
#[expect(clippy::cast_possible_wrap, reason = "tables hold a few thousand rows")]
fn key(place: usize) -> i64 {
    place as i64 + 1
}
