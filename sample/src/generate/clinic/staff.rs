//! Clinicians and dressings.

use std::collections::BTreeSet;

use crate::dataset::{Dataset, row};
use crate::generate::people::person;
use crate::generate::random::Random;
use crate::generate::{World, key};
use crate::value::Decimal;

/// Key and price in cents of a dressing.
pub(super) struct Dressing {
    pub(super) id: i64,
    pub(super) cost: i64,
}

const SIZES: [(&str, i64); 3] = [("Small", 60), ("Medium", 100), ("Large", 165)];

/// Adds the clinicians; returns the keys of the current ones, most senior first.
pub(super) fn add_clinicians(data: &mut Dataset, world: &World<'_>) -> Vec<i64> {
    let mut random = Random::for_part("clinicians");
    let mut logins = BTreeSet::new();
    let mut active = Vec::new();
    let mut id = 0;
    for profession in &world.words.clinic.professions {
        for _ in 0..profession.staff {
            id += 1;
            let culture = random.pick(&world.words.cultures);
            let female = random.chance(620);
            let who = person(&mut random, culture, female);
            let mut login = who.login();
            if !logins.insert(login.clone()) {
                login = format!("{login}{id}");
            }
            let is_active = id < 3 || !random.chance(120);
            if is_active {
                active.push(id);
            }
            row!(data, clinicians, {
                clinician_id: id,
                first_name: &who.first_name,
                last_name: &who.last_name,
                profession: &profession.name,
                email: format!("{login}@clinic.example"),
                is_active: is_active,
                joined_on: world.calendar.date(-random.between(1100..=5200)),
            });
        }
    }
    active
}

pub(super) fn add_dressings(
    data: &mut Dataset,
    world: &World<'_>,
    last_supplier: i64,
) -> Vec<Dressing> {
    let mut random = Random::for_part("dressings");
    let mut dressings = Vec::new();
    for kind in &world.words.clinic.dressings {
        let supplier_id = random.amount(1..=last_supplier);
        for (size, percent) in SIZES {
            let id = key(dressings.len());
            let cost = kind.cost * percent / 100;
            row!(data, dressings, {
                dressing_id: id,
                name: format!("{} {size}", kind.name),
                material: &kind.material,
                size: size,
                unit_cost: Decimal::cents(cost),
                is_antimicrobial: kind.antimicrobial,
                supplier_id: supplier_id,
            });
            dressings.push(Dressing { id, cost });
        }
    }
    dressings
}
