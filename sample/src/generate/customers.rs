//! Customers, their categories and addresses.

use std::collections::BTreeSet;

use crate::dataset::{Dataset, row};
use crate::value::Decimal;

use super::application::{City, Organisation};
use super::people::{company, culture, person, phone, plain, street};
use super::random::{Random, Shares};
use super::{HISTORY_DAYS, World, key};

const CUSTOMERS: usize = 430;

pub(super) struct Customer {
    pub(super) id: i64,
    /// Hundredths of a percent.
    pub(super) discount: i64,
    pub(super) is_hospital: bool,
    pub(super) since: i32,
    /// Day offset on which the account was closed; `i32::MAX` while it is open.
    pub(super) closed: i32,
    pub(super) terms_days: i32,
    /// Whether the customer pays late or not at all.
    pub(super) is_slow: bool,
    /// Key of the customer that pays the invoices of this one.
    pub(super) payer: i64,
}

pub(super) struct Customers {
    pub(super) list: Vec<Customer>,
    /// Weights of customers when orders are placed.
    pub(super) shares: Shares,
}

pub(super) fn add(data: &mut Dataset, world: &World<'_>, organisation: &Organisation) -> Customers {
    let mut random = Random::for_part("customers");
    let trade = &world.words.trade;
    for (place, category) in trade.customer_categories.iter().enumerate() {
        row!(data, customer_categories, {
            customer_category_id: key(place),
            name: &category.name,
            discount_percent: Decimal::cents(category.discount),
        });
    }
    let by_category =
        Shares::new(trade.customer_categories.iter().map(|category| u64::from(category.weight)));
    let mut taken = BTreeSet::new();
    let mut address_id = 0;
    let mut list: Vec<Customer> = Vec::new();
    for place in 0..CUSTOMERS {
        let id = key(place);
        let city = &organisation.cities[random.index(&organisation.city_shares)];
        let culture = culture(world.words, &city.iso_code);
        let name = company(&mut random, culture, &city.name, &mut taken);
        let female = random.chance(520);
        let contact = person(&mut random, culture, female);
        let category_place = random.index(&by_category);
        let category = &trade.customer_categories[category_place];

        address_id += 1;
        let billing = address_id;
        add_address(data, world, &mut random, billing, city);
        // More than a third has a separate shipping address, mostly in the same country.
        let shipping = if random.chance(380) {
            address_id += 1;
            let neighbours: Vec<&City> = organisation
                .cities
                .iter()
                .filter(|other| other.iso_code == city.iso_code)
                .collect();
            let elsewhere = if random.chance(850) {
                *random.pick(&neighbours)
            } else {
                random.pick(&organisation.cities)
            };
            add_address(data, world, &mut random, address_id, elsewhere);
            address_id
        } else {
            billing
        };

        let since = if random.chance(640) {
            -random.between(HISTORY_DAYS..=4000)
        } else {
            -random.between(20..=HISTORY_DAYS - 1)
        };
        let closed =
            (place > 0 && since < -400 && random.chance(60)).then(|| -random.between(5..=380));
        let is_slow = random.chance(120);
        let terms_days = *random.pick(&[7, 14, 14, 30, 30, 30, 60]);
        let payer = if place > 20 && random.chance(60) { random.amount(1..=20) } else { id };
        row!(data, customers, {
            customer_id: id,
            name: &name,
            customer_category_id: key(category_place),
            account_manager_id: random.chance(930).then(|| random.pick(&organisation.sales_reps).id),
            billing_address_id: billing,
            shipping_address_id: shipping,
            contact_name: contact.full_name(),
            email: random.chance(940).then(|| format!("{}@{}.example", contact.login(), plain(&name))),
            phone: random.chance(850).then(|| phone(&mut random, culture)),
            credit_limit: Decimal::cents(random.amount(2..=60) * 50_000),
            payment_terms_days: terms_days,
            is_on_credit_hold: is_slow && random.chance(350),
            satisfaction_score: random.chance(700).then(|| *random.pick(&[1, 2, 3, 3, 4, 4, 4, 5, 5])),
            customer_since: world.calendar.date(since),
            closed_on: closed.map(|day| world.calendar.date(day)),
            notes: random.chance(420).then(|| notes(&mut random, &trade.customer_notes)),
        });
        list.push(Customer {
            id,
            discount: category.discount,
            is_hospital: category.name == "Hospital",
            since,
            closed: closed.unwrap_or(i32::MAX),
            terms_days,
            is_slow,
            payer,
        });
    }
    Customers { list, shares: Shares::skewed(CUSTOMERS) }
}

fn add_address(data: &mut Dataset, world: &World<'_>, random: &mut Random, id: i64, city: &City) {
    row!(data, addresses, {
        address_id: id,
        street: street(random, culture(world.words, &city.iso_code)),
        postal_code: random.digits(5),
        city_id: city.id,
    });
}

/// One to four distinct remarks.
fn notes(random: &mut Random, remarks: &[String]) -> String {
    let mut places: Vec<usize> = (0..remarks.len()).collect();
    random.shuffle(&mut places);
    places.truncate(random.between(1..=4) as usize);
    let chosen: Vec<&str> = places.into_iter().map(|place| remarks[place].as_str()).collect();
    chosen.join(" ")
}
