//! Days as offsets from today: 0 is today, -1 yesterday.

use jiff::ToSpan as _;
use jiff::civil::{Date, DateTime, Weekday};

use super::random::{Random, Shares};

pub(super) struct Calendar {
    today: Date,
}

/// Seasonal weight of each month, in percent of the average: low after New Year, high before Christmas.
const MONTH_PERCENT: [u64; 12] = [72, 76, 92, 98, 104, 96, 84, 78, 100, 112, 142, 146];

impl Calendar {
    pub(super) fn new(today: Date) -> Self {
        Self { today }
    }

    pub(super) fn date(&self, offset: i32) -> Date {
        self.today.saturating_add(i64::from(offset).days())
    }

    /// Timestamp on a day, `minute` minutes after midnight.
    pub(super) fn at(&self, offset: i32, minute: i32) -> DateTime {
        let hour = (minute / 60 % 24) as i8;
        self.date(offset).at(hour, (minute % 60) as i8, 0, 0)
    }

    pub(super) fn year(&self, offset: i32) -> i16 {
        self.date(offset).year()
    }

    /// The day itself, or the following Monday if it is on a weekend.
    pub(super) fn working_day(&self, offset: i32) -> i32 {
        match self.date(offset).weekday() {
            Weekday::Saturday => offset + 2,
            Weekday::Sunday => offset + 1,
            _ => offset,
        }
    }

    /// The day itself, or the preceding Friday if it is on a weekend.
    pub(super) fn last_working_day(&self, offset: i32) -> i32 {
        match self.date(offset).weekday() {
            Weekday::Saturday => offset - 1,
            Weekday::Sunday => offset - 2,
            _ => offset,
        }
    }

    /// Sorted day offsets of `count` sales within the last `days` days, with seasonal weights and yearly growth.
    pub(super) fn sales_days(&self, random: &mut Random, days: i32, count: usize) -> Vec<i32> {
        let shares = Shares::new((0..=days).map(|back| {
            let date = self.date(-back);
            let weekday = match date.weekday() {
                Weekday::Saturday => 18,
                Weekday::Sunday => 5,
                Weekday::Monday => 115,
                _ => 100,
            };
            let growth = 1000 - u64::from(back.unsigned_abs()) * 260 / 1095;
            MONTH_PERCENT[usize::from(date.month().unsigned_abs()) - 1] * weekday * growth
        }));
        let mut drawn: Vec<i32> =
            (0..count).map(|_| -(random.index(&shares).cast_signed() as i32)).collect();
        drawn.sort_unstable();
        drawn
    }
}
