//! Customer orders and their lines.

use crate::dataset::{Dataset, row};
use crate::value::Decimal;

use super::application::{Organisation, on_duty};
use super::customers::{Customer, Customers};
use super::products::Range;
use super::random::{Random, Shares};
use super::{HISTORY_DAYS, World, key};

const ORDERS: usize = 3350;
const QUANTITIES: [i64; 14] = [1, 2, 2, 3, 4, 5, 6, 6, 10, 12, 12, 24, 48, 100];

/// A shipped order, which will be invoiced.
pub(super) struct Shipment {
    pub(super) order_id: i64,
    pub(super) payer: i64,
    pub(super) day: i32,
    pub(super) lines: Vec<Line>,
}

#[derive(Clone, Copy)]
pub(super) struct Line {
    /// Index in the product range.
    pub(super) product: usize,
    pub(super) quantity: i64,
    /// Cents, after the discount.
    pub(super) unit_price: i64,
}

pub(super) fn add(
    data: &mut Dataset,
    world: &World<'_>,
    organisation: &Organisation,
    customers: &Customers,
    range: &Range,
) -> Vec<Shipment> {
    let mut random = Random::for_part("orders");
    let calendar = &world.calendar;
    let methods = &world.words.staff.delivery_methods;
    let by_method = Shares::new(methods.iter().map(|method| u64::from(method.weight)));
    let mut shipments = Vec::new();
    let mut line_id = 0;
    for (place, day) in
        calendar.sales_days(&mut random, HISTORY_DAYS, ORDERS).into_iter().enumerate()
    {
        let id = key(place);
        let customer = draw_customer(&mut random, customers, day);
        let method_place = random.index(&by_method);
        let is_rush = methods[method_place].express || random.chance(50);
        let progress =
            draw_progress(&mut random, day, is_rush, |offset| calendar.working_day(offset));
        let lines = draw_lines(&mut random, range, customer, day);
        let total: i64 = lines.iter().map(|line| line.quantity * line.unit_price).sum();
        let mut picked_lines = Vec::new();
        for (position, line) in lines.iter().enumerate() {
            line_id += 1;
            let picked = match (progress.shipped, progress.status) {
                (Some(_), _) if random.chance(25) => line.quantity * random.amount(0..=90) / 100,
                (Some(_), _) => line.quantity,
                (None, "picking") if position == 0 => line.quantity,
                (None, _) => 0,
            };
            if picked > 0 {
                picked_lines.push(Line { quantity: picked, ..*line });
            }
            row!(data, order_lines, {
                order_line_id: line_id,
                order_id: id,
                line_number: key(position),
                product_id: range.products[line.product].id,
                quantity: line.quantity,
                picked_quantity: picked,
                unit_price: Decimal::cents(line.unit_price),
            });
        }
        row!(data, orders, {
            order_id: id,
            order_number: format!("SO-{}-{id:05}", calendar.year(day)),
            customer_id: customer.id,
            bill_to_customer_id: customer.payer,
            sales_rep_id: on_duty(&mut random, &organisation.sales_reps, day),
            delivery_method_id: key(method_place),
            status: progress.status,
            is_rush: is_rush,
            order_date: calendar.date(day),
            required_date: calendar.date(progress.required),
            shipped_date: progress.shipped.map(|day| calendar.date(day)),
            delivered_date: progress.delivered.map(|day| calendar.date(day)),
            total_amount: Decimal::cents(total),
            customer_reference: random.chance(450).then(|| format!("Ref {}", random.digits(5))),
        });
        if let Some(day) = progress.shipped
            && !picked_lines.is_empty()
        {
            shipments.push(Shipment {
                order_id: id,
                payer: customer.payer,
                day,
                lines: picked_lines,
            });
        }
    }
    shipments
}

fn draw_customer<'c>(random: &mut Random, customers: &'c Customers, day: i32) -> &'c Customer {
    for _ in 0..40 {
        let customer = &customers.list[random.index(&customers.shares)];
        if customer.since <= day && day < customer.closed {
            return customer;
        }
    }
    customers.list.iter().find(|customer| customer.since <= day).unwrap_or(&customers.list[0])
}

struct Progress {
    status: &'static str,
    required: i32,
    shipped: Option<i32>,
    delivered: Option<i32>,
}

fn draw_progress(
    random: &mut Random,
    day: i32,
    is_rush: bool,
    working_day: impl Fn(i32) -> i32,
) -> Progress {
    let required = working_day(day + if is_rush { 2 } else { random.between(5..=14) });
    let handling = if is_rush { random.between(0..=1) } else { random.between(1..=7) };
    let mut shipped = working_day(day + handling);
    // Some orders are on backorder.
    if random.chance(40) {
        shipped = working_day(day + random.between(15..=50));
    }
    let delivered = working_day(shipped + if is_rush { 1 } else { random.between(1..=6) });
    let is_cancelled = random.chance(38);
    let (status, shipped, delivered) = match () {
        () if is_cancelled && day < -2 => ("cancelled", None, None),
        () if delivered <= 0 => ("delivered", Some(shipped), Some(delivered)),
        () if shipped <= 0 => ("shipped", Some(shipped), None),
        () if day > -4 && random.chance(300) => ("draft", None, None),
        () if shipped <= 3 => ("picking", None, None),
        () => ("open", None, None),
    };
    Progress { status, required, shipped, delivered }
}

fn draw_lines(random: &mut Random, range: &Range, customer: &Customer, day: i32) -> Vec<Line> {
    let wanted = *random.pick(&[1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6]);
    let mut lines: Vec<Line> = Vec::new();
    for _ in 0..wanted * 4 {
        if lines.len() == wanted {
            break;
        }
        let place = random.index(&range.shares);
        let product = &range.products[place];
        let is_wanted = product.sold_on(day)
            && (!customer.is_hospital || product.is_medical || random.chance(150))
            && !lines.iter().any(|line| line.product == place);
        if is_wanted {
            // Prices rise by about 4 % a year.
            let then = product.unit_price * (10_000 + i64::from(day) * 400 / 365) / 10_000;
            let unit_price = (then * (10_000 - customer.discount) / 10_000).max(1);
            lines.push(Line { product: place, quantity: *random.pick(&QUANTITIES), unit_price });
        }
    }
    if lines.is_empty() {
        let place = range.products.iter().position(|product| product.sold_on(day)).unwrap_or(0);
        lines.push(Line {
            product: place,
            quantity: 1,
            unit_price: range.products[place].unit_price,
        });
    }
    lines
}
