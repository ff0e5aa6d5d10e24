//! Invoices of shipments, and their payments.

use crate::dataset::{Dataset, row};
use crate::value::Decimal;

use super::customers::{Customer, Customers};
use super::orders::Shipment;
use super::products::Range;
use super::random::Random;
use super::{World, key};

pub(super) fn add(
    data: &mut Dataset,
    world: &World<'_>,
    customers: &Customers,
    range: &Range,
    shipments: Vec<Shipment>,
) {
    let mut random = Random::for_part("invoices");
    let calendar = &world.calendar;
    let mut dated: Vec<(i32, Shipment)> = shipments
        .into_iter()
        .map(|shipment| (calendar.working_day(shipment.day + random.between(0..=3)), shipment))
        .filter(|(day, _)| *day <= 0)
        .collect();
    dated.sort_by_key(|(day, shipment)| (*day, shipment.order_id));
    let mut line_id = 0;
    let mut payments = Vec::new();
    for (place, (day, shipment)) in dated.into_iter().enumerate() {
        let id = key(place);
        let payer = &customers.list[(shipment.payer - 1) as usize];
        let mut net = 0;
        let mut tax = 0;
        for line in &shipment.lines {
            line_id += 1;
            let product = &range.products[line.product];
            let amount = line.quantity * line.unit_price;
            net += amount;
            tax += (amount * product.tax_rate + 5_000) / 10_000;
            row!(data, invoice_lines, {
                invoice_line_id: line_id,
                invoice_id: id,
                product_id: product.id,
                quantity: line.quantity,
                unit_price: Decimal::cents(line.unit_price),
                tax_rate: Decimal::cents(product.tax_rate),
            });
        }
        let total = net + tax;
        let due = day + payer.terms_days;
        let paid = draw_payments(&mut random, &mut payments, id, payer, day, due, total);
        let status = match paid {
            paid if paid >= total => "paid",
            _ if due < 0 => "overdue",
            0 => "open",
            _ => "partly paid",
        };
        row!(data, invoices, {
            invoice_id: id,
            invoice_number: format!("INV-{}-{id:05}", calendar.year(day)),
            order_id: shipment.order_id,
            customer_id: shipment.payer,
            status: status,
            invoice_date: calendar.date(day),
            due_date: calendar.date(due),
            net_amount: Decimal::cents(net),
            tax_amount: Decimal::cents(tax),
            total_amount: Decimal::cents(total),
        });
    }
    payments.sort_by_key(|payment: &Payment| (payment.day, payment.invoice_id));
    for (place, payment) in payments.into_iter().enumerate() {
        row!(data, payments, {
            payment_id: key(place),
            invoice_id: payment.invoice_id,
            payment_date: calendar.date(payment.day),
            amount: Decimal::cents(payment.amount),
            method: payment.method,
        });
    }
}

struct Payment {
    invoice_id: i64,
    day: i32,
    /// Cents.
    amount: i64,
    method: &'static str,
}

/// Draws the payments of an invoice until today; returns their sum in cents.
fn draw_payments(
    random: &mut Random,
    payments: &mut Vec<Payment>,
    invoice_id: i64,
    payer: &Customer,
    day: i32,
    due: i32,
    total: i64,
) -> i64 {
    let never = random.chance(if payer.is_slow { 90 } else { 6 });
    let delay = if payer.is_slow { random.between(-2..=70) } else { random.between(-14..=6) };
    let method = match random.between(0..=99) {
        0..=61 => "bank transfer",
        62..=83 => "direct debit",
        84..=97 => "card",
        _ => "cash",
    };
    let settled = (due + delay).max(day);
    let parts = if random.chance(160) && total > 2_000 {
        let first = (settled - random.between(10..=30)).max(day);
        vec![(first, total / 2), (settled, total - total / 2)]
    } else {
        vec![(settled, total)]
    };
    let mut paid = 0;
    for (day, amount) in parts {
        if !never && day <= 0 {
            paid += amount;
            payments.push(Payment { invoice_id, day, amount, method });
        }
    }
    paid
}
