//! Suppliers, their products, and purchase orders.

use crate::dataset::{Dataset, row};
use crate::value::Decimal;

use super::application::{Organisation, on_duty};
use super::people::{culture, person, phone, plain};
use super::products::Range;
use super::random::{Random, Shares};
use super::stock::Warehouses;
use super::{HISTORY_DAYS, World, key};

const ORDERS: usize = 560;

pub(super) struct Supplier {
    pub(super) id: i64,
    lead_days: i32,
    /// Product keys with their price in cents.
    products: Vec<(i64, i64)>,
}

pub(super) fn add_suppliers(
    data: &mut Dataset,
    world: &World<'_>,
    organisation: &Organisation,
    range: &Range,
) -> Vec<Supplier> {
    let mut random = Random::for_part("suppliers");
    let trade = &world.words.trade;
    let mut suppliers = Vec::new();
    for (place, name) in trade.suppliers.iter().enumerate() {
        let id = key(place);
        let city = &organisation.cities[random.index(&organisation.city_shares)];
        let culture = culture(world.words, &city.iso_code);
        let female = random.chance(500);
        let contact = person(&mut random, culture, female);
        let lead_days = random.between(4..=45);
        row!(data, suppliers, {
            supplier_id: id,
            name: name,
            contact_name: contact.full_name(),
            email: format!("{}@{}.example", contact.login(), plain(name)),
            phone: random.chance(800).then(|| phone(&mut random, culture)),
            city_id: city.id,
            rating: random.chance(850).then(|| random.between(2..=5)),
            lead_time_days: lead_days,
            is_preferred: random.chance(300),
            supplier_since: world.calendar.date(-random.between(HISTORY_DAYS + 30..=4400)),
            notes: random.chance(400).then(|| random.pick(&trade.supplier_notes).clone()),
        });
        suppliers.push(Supplier { id, lead_days, products: Vec::new() });
    }
    for product in &range.products {
        let mut places: Vec<usize> = (0..suppliers.len()).collect();
        random.shuffle(&mut places);
        places.truncate(*random.pick(&[1, 1, 2, 2, 3]));
        places.sort_unstable();
        for place in places {
            let supplier = &mut suppliers[place];
            let price = (product.cost_price * random.amount(92..=108) / 100).max(5);
            row!(data, product_suppliers, {
                product_id: product.id,
                supplier_id: supplier.id,
                supplier_sku: format!("{:02}{:05}", supplier.id, product.id * 7),
                purchase_price: Decimal::cents(price),
                minimum_quantity: *random.pick(&[1, 12, 24, 50, 100]),
            });
            supplier.products.push((product.id, price));
        }
    }
    suppliers
}

pub(super) fn add_orders(
    data: &mut Dataset,
    world: &World<'_>,
    organisation: &Organisation,
    suppliers: &[Supplier],
    warehouses: Warehouses,
) {
    let mut random = Random::for_part("purchase orders");
    let calendar = &world.calendar;
    let by_size = Shares::new(suppliers.iter().map(|supplier| supplier.products.len() as u64));
    let mut line_id = 0;
    for (place, day) in
        calendar.sales_days(&mut random, HISTORY_DAYS, ORDERS).into_iter().enumerate()
    {
        let id = key(place);
        let day = calendar.last_working_day(day);
        let supplier = &suppliers[random.index(&by_size)];
        let expected = calendar.working_day(day + supplier.lead_days);
        let arrival = calendar.working_day(expected + random.between(-3..=12)).max(day + 1);
        let status = match random.between(0..=99) {
            0..=3 => "cancelled",
            4..=6 if day > -5 => "draft",
            _ if arrival > 0 => "ordered",
            4..=16 if day > -200 => "partly received",
            _ => "received",
        };
        let mut chosen = supplier.products.clone();
        random.shuffle(&mut chosen);
        chosen.truncate(*random.pick(&[1, 2, 2, 3, 4, 6]));
        let mut total = 0;
        for (product_id, price) in chosen {
            line_id += 1;
            let quantity = *random.pick(&[12, 24, 24, 48, 50, 100, 100, 200, 250]);
            let received = match status {
                "received" => quantity,
                "partly received" => quantity / 2,
                _ => 0,
            };
            total += quantity * price;
            row!(data, purchase_order_lines, {
                purchase_order_line_id: line_id,
                purchase_order_id: id,
                product_id: product_id,
                quantity: quantity,
                received_quantity: received,
                unit_cost: Decimal::cents(price),
            });
        }
        row!(data, purchase_orders, {
            purchase_order_id: id,
            purchase_order_number: format!("PO-{}-{id:04}", calendar.year(day)),
            supplier_id: supplier.id,
            warehouse_id: warehouses.draw(&mut random),
            buyer_id: on_duty(&mut random, &organisation.buyers, day),
            status: status,
            ordered_on: calendar.date(day),
            expected_date: calendar.date(expected),
            received_date: (status == "received").then(|| calendar.date(arrival)),
            total_cost: Decimal::cents(total),
        });
    }
}
