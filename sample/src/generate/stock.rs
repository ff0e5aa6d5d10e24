//! Warehouses, stock on hand, and stock movements.

use jiff::civil::Time;

use crate::dataset::{Dataset, row};

use super::application::Organisation;
use super::products::Range;
use super::random::{Random, Shares};
use super::{World, key};

pub(super) struct Warehouses {
    shares: Shares,
}

impl Warehouses {
    /// Key of a random warehouse, weighted by turnover.
    pub(super) fn draw(&self, random: &mut Random) -> i64 {
        key(random.index(&self.shares))
    }
}

pub(super) fn add(
    data: &mut Dataset,
    world: &World<'_>,
    organisation: &Organisation,
    range: &Range,
) -> Warehouses {
    let mut random = Random::for_part("stock");
    let words = &world.words.trade.warehouses;
    for (place, warehouse) in words.iter().enumerate() {
        let city = organisation.cities.iter().find(|city| city.name == warehouse.city);
        let manager = &organisation.storekeepers[place % organisation.storekeepers.len()];
        row!(data, warehouses, {
            warehouse_id: key(place),
            name: &warehouse.name,
            city_id: city.map(|city| city.id),
            manager_id: manager.id,
            capacity_pallets: warehouse.capacity,
            is_refrigerated: warehouse.refrigerated,
            opens_at: warehouse.opens.parse::<Time>().ok(),
            closes_at: warehouse.closes.parse::<Time>().ok(),
        });
    }
    let warehouses =
        Warehouses { shares: Shares::new(words.iter().map(|place| u64::from(place.weight))) };

    let mut movements = Vec::new();
    for product in &range.products {
        let mut places: Vec<i64> = (0..4).map(|_| warehouses.draw(&mut random)).collect();
        places.sort_unstable();
        places.dedup();
        for warehouse_id in places {
            let on_hand = draw_movements(&mut random, &mut movements, warehouse_id, product.id);
            let reorder_level = *random.pick(&[20, 40, 50, 80, 120]);
            row!(data, stock_levels, {
                warehouse_id: warehouse_id,
                product_id: product.id,
                bin_location: format!("{}{:02}-{}", ["A", "B", "C", "D"][(product.id % 4) as usize], product.id % 40 + 1, random.between(1..=6)),
                quantity_on_hand: on_hand,
                quantity_reserved: on_hand * random.amount(0..=30) / 100,
                reorder_level: reorder_level,
                last_counted_on: random.chance(880).then(|| world.calendar.date(-random.between(3..=330))),
            });
        }
    }
    movements.sort_by_key(|movement: &Movement| {
        (movement.day, movement.minute, movement.product_id, movement.warehouse_id)
    });
    for (place, movement) in movements.into_iter().enumerate() {
        let reason = match movement.kind {
            "return" | "adjustment" => Some(random.pick(&world.words.trade.movement_reasons)),
            _ => None,
        };
        row!(data, stock_movements, {
            stock_movement_id: key(place),
            warehouse_id: movement.warehouse_id,
            product_id: movement.product_id,
            moved_at: world.calendar.at(movement.day, movement.minute),
            movement_type: movement.kind,
            quantity: movement.quantity,
            reason: reason,
        });
    }
    warehouses
}

struct Movement {
    warehouse_id: i64,
    product_id: i64,
    day: i32,
    minute: i32,
    kind: &'static str,
    quantity: i64,
}

/// Draws the movements of one product in one warehouse; returns the resulting stock.
fn draw_movements(
    random: &mut Random,
    movements: &mut Vec<Movement>,
    warehouse_id: i64,
    product_id: i64,
) -> i64 {
    let mut day = -random.between(120..=700);
    let mut on_hand = 0;
    let mut steps = random.between(2..=6);
    let mut is_first = true;
    while day <= 0 && steps > 0 {
        let (kind, quantity) = match random.between(0..=99) {
            _ if is_first || on_hand < 15 => ("receipt", random.amount(4..=30) * 10),
            0..=64 => ("issue", -random.amount(1..=on_hand)),
            65..=84 => ("receipt", random.amount(2..=20) * 10),
            85..=92 => ("return", random.amount(1..=12)),
            _ => ("adjustment", random.amount(-6..=4).min(-1)),
        };
        on_hand += quantity;
        movements.push(Movement {
            warehouse_id,
            product_id,
            day,
            minute: random.between(370..=1130),
            kind,
            quantity,
        });
        is_first = false;
        steps -= 1;
        day += random.between(5..=160);
    }
    on_hand
}
