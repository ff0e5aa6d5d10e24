//! Countries, cities, departments, employees, users and delivery methods.

use std::collections::BTreeSet;

use crate::dataset::{Dataset, row};
use crate::value::Decimal;

use super::people::{culture, national_id, person, phone};
use super::random::{Random, Shares};
use super::{HISTORY_DAYS, World, key};

/// Keys that rows of other areas reference.
pub(super) struct Organisation {
    pub(super) cities: Vec<City>,
    pub(super) sales_reps: Vec<Employee>,
    pub(super) buyers: Vec<Employee>,
    pub(super) storekeepers: Vec<Employee>,
    /// Weights of cities when customers are placed.
    pub(super) city_shares: Shares,
}

pub(super) struct City {
    pub(super) id: i64,
    pub(super) name: String,
    pub(super) iso_code: String,
}

pub(super) struct Employee {
    pub(super) id: i64,
    pub(super) hired: i32,
    /// Day offset on which the employee left; `i32::MAX` while employed.
    pub(super) left: i32,
}

impl Employee {
    pub(super) fn works_on(&self, day: i32) -> bool {
        self.hired <= day && day < self.left
    }
}

/// A random employee who is employed on a day, or else the one who leaves last.
pub(super) fn on_duty(random: &mut Random, staff: &[Employee], day: i32) -> i64 {
    for _ in 0..12 {
        let employee = random.pick(staff);
        if employee.works_on(day) {
            return employee.id;
        }
    }
    staff[0].id
}

pub(super) fn add(data: &mut Dataset, world: &World<'_>) -> Organisation {
    let (cities, city_shares) = add_places(data, world);
    for (place, method) in world.words.staff.delivery_methods.iter().enumerate() {
        row!(data, delivery_methods, {
            delivery_method_id: key(place),
            name: &method.name,
            base_fee: Decimal::cents(method.fee),
            max_weight_kg: method.max_weight,
            is_express: method.express,
        });
    }
    let mut staff = add_staff(data, world, &cities);
    let mut take = |name: &str| {
        staff.iter_mut().find(|entry| entry.0 == name).map(|entry| std::mem::take(&mut entry.1))
    };
    Organisation {
        sales_reps: take("Sales").unwrap_or_default(),
        buyers: take("Purchasing").unwrap_or_default(),
        storekeepers: take("Warehouse").unwrap_or_default(),
        cities,
        city_shares,
    }
}

fn add_places(data: &mut Dataset, world: &World<'_>) -> (Vec<City>, Shares) {
    let mut cities = Vec::new();
    let mut weights = Vec::new();
    for (place, country) in world.words.countries.iter().enumerate() {
        let country_id = key(place);
        row!(data, countries, {
            country_id: country_id,
            name: &country.name,
            iso_code: &country.iso_code,
            continent: &country.continent,
            currency_code: &country.currency_code,
        });
        for (rank, city) in country.cities.iter().enumerate() {
            let id = key(cities.len());
            row!(data, cities, {
                city_id: id,
                country_id: country_id,
                name: &city.name,
                population: city.population.map(|thousands| i64::from(thousands) * 1000),
                is_capital: city.capital,
            });
            weights.push(u64::from(country.weight) * 60 / (rank as u64 + 2));
            cities.push(City { id, name: city.name.clone(), iso_code: country.iso_code.clone() });
        }
    }
    (cities, Shares::new(weights))
}

fn add_staff<'w>(
    data: &mut Dataset,
    world: &World<'w>,
    cities: &[City],
) -> Vec<(&'w str, Vec<Employee>)> {
    let mut random = Random::for_part("staff");
    let mut logins = BTreeSet::new();
    let mut departments = Vec::new();
    let mut id = 0;
    // Sites are the cities with a warehouse.
    let sites: Vec<&City> = cities
        .iter()
        .filter(|city| world.words.trade.warehouses.iter().any(|place| place.city == city.name))
        .collect();
    for (place, department) in world.words.staff.departments.iter().enumerate() {
        let department_id = key(place);
        row!(data, departments, {
            department_id: department_id,
            name: &department.name,
            cost_center: &department.cost_center,
            annual_budget: Decimal::cents(department.budget * 100),
        });
        let head = id + 1;
        let mut employees = Vec::new();
        for seat in 0..department.staff {
            id += 1;
            let is_head = seat == 0;
            let site = if is_head { sites[0] } else { *random.pick(&sites) };
            let culture = culture(world.words, &site.iso_code);
            let female = random.chance(500);
            let who = person(&mut random, culture, female);
            let mut login = who.login();
            if !logins.insert(login.clone()) {
                login = format!("{login}{id}");
                logins.insert(login.clone());
            }
            let hired = if is_head { -4200 } else { -random.between(40..=4000) };
            let left =
                (!is_head && hired < -500 && random.chance(160)).then(|| -random.between(10..=400));
            let born = hired - random.between(19 * 365..=45 * 365).min(hired + 62 * 365);
            let manager = match (place, is_head) {
                (0, true) => None,
                (_, true) => Some(1),
                (_, false) => Some(head),
            };
            let salary = department.salary * if is_head { 150 } else { random.amount(82..=125) };
            row!(data, employees, {
                employee_id: id,
                department_id: department_id,
                manager_id: manager,
                city_id: site.id,
                first_name: &who.first_name,
                last_name: &who.last_name,
                job_title: if is_head && place > 0 { format!("Head of {}", department.name) } else { department.title.clone() },
                email: format!("{login}@wholesale.example"),
                phone: random.chance(880).then(|| phone(&mut random, culture)),
                national_id: national_id(&mut random, id),
                birth_date: world.calendar.date(born),
                hired_on: world.calendar.date(hired),
                left_on: left.map(|day| world.calendar.date(day)),
                salary: Decimal::cents(salary / 10 * 10),
            });
            if random.chance(900) || is_head {
                add_user(data, world, &mut random, id, login, is_head, hired, left);
            }
            employees.push(Employee { id, hired, left: left.unwrap_or(i32::MAX) });
        }
        departments.push((department.name.as_str(), employees));
    }
    departments
}

#[expect(clippy::too_many_arguments, reason = "one call, with what the employee's row was made of")]
fn add_user(
    data: &mut Dataset,
    world: &World<'_>,
    random: &mut Random,
    employee_id: i64,
    login: String,
    is_head: bool,
    hired: i32,
    left: Option<i32>,
) {
    let first_day = world.calendar.working_day(hired.max(-HISTORY_DAYS)).min(0);
    let last_day = left.unwrap_or(0);
    let last_login = random.chance(930).then(|| {
        world.calendar.last_working_day((last_day - random.between(0..=21)).max(first_day))
    });
    let role = match random.between(0..=9) {
        _ if is_head => "manager",
        0 => "admin",
        1..=3 => "viewer",
        _ => "clerk",
    };
    let preferences = format!(
        r#"{{"theme": "{}", "language": "{}", "rows_per_page": {}}}"#,
        random.pick(&world.words.staff.themes),
        random.pick(&world.words.staff.languages),
        random.pick(&[20, 50, 100]),
    );
    row!(data, users, {
        user_id: employee_id,
        employee_id: employee_id,
        login: login,
        role: role,
        is_active: left.is_none(),
        created_at: world.calendar.at(first_day, random.between(480..=1000)),
        last_login_at: last_login.map(|day| world.calendar.at(day, random.between(1005..=1140))),
        preferences: preferences,
    });
}
