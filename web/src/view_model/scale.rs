//! Axes of charts: ranges that end at round numbers.

/// A linear axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// Value at the start of the axis.
    pub least: f64,
    /// Value at the end of the axis.
    pub most: f64,
    /// Values with a tick, ascending; the first and the last are the ends.
    pub ticks: Vec<f64>,
    /// Decimal places of the ticks.
    pub places: usize,
}

impl Scale {
    /// An axis over all values with about `count` ticks at round numbers; it starts at zero if `from_zero`.
    pub fn of(values: impl Iterator<Item = f64> + Clone, from_zero: bool, count: usize) -> Self {
        let zero = if from_zero { 0.0 } else { f64::NAN };
        let least = values.clone().fold(zero, f64::min);
        let most = values.fold(zero, f64::max);
        let spread = if most > least { most - least } else { most.abs().max(1.0) };
        let step = round_step(spread / count.max(1) as f64);
        let (first, last) = ((least / step).floor(), (most / step).ceil());
        let last = if last > first { last } else { first + 1.0 };
        let places = usize::try_from(-step.log10().floor() as i32).unwrap_or(0);
        let steps = (last - first).round() as u32;
        let ticks = (0..=steps).map(|index| (first + f64::from(index)) * step).collect();
        Self { least: first * step, most: last * step, ticks, places }
    }

    /// Place of a value on the axis, from 0 at its start to 1 at its end.
    pub fn share(&self, value: f64) -> f64 {
        (value - self.least) / (self.most - self.least)
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is at least `step`.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= step * 0.999_999);
    factor.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::Scale;

    fn scale(values: &[f64], from_zero: bool) -> Scale {
        Scale::of(values.iter().copied(), from_zero, 5)
    }

    #[test]
    fn ticks_are_round_and_enclose_all_values() {
        let axis = scale(&[12.0, 85_085.5], true);
        assert_eq!(axis.ticks, [0.0, 20_000.0, 40_000.0, 60_000.0, 80_000.0, 100_000.0]);
        assert_eq!(axis.places, 0);
    }

    #[test]
    fn small_steps_have_decimal_places() {
        let axis = scale(&[0.0, 0.9], true);
        assert_eq!(axis.places, 1);
        assert_eq!(axis.ticks.len(), 6);
    }

    #[test]
    fn negative_values_are_on_the_axis_with_zero() {
        let axis = scale(&[-30.0, 50.0], true);
        assert!(axis.least <= -30.0 && axis.most >= 50.0);
        assert!(axis.ticks.contains(&0.0));
    }

    #[test]
    fn equal_values_have_an_axis_of_some_length() {
        for values in [[0.0, 0.0], [7.0, 7.0], [-7.0, -7.0]] {
            for from_zero in [true, false] {
                let axis = scale(&values, from_zero);
                assert!(axis.most > axis.least, "{values:?}");
                assert!((0.0..=1.0).contains(&axis.share(values[0])), "{values:?}");
            }
        }
    }

    #[test]
    fn the_ends_of_the_axis_are_0_and_1() {
        let axis = scale(&[0.0, 10.0], true);
        assert!(axis.share(0.0).abs() < 1e-9);
        assert!((axis.share(10.0) - 1.0).abs() < 1e-9);
    }
}
