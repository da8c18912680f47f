//! From what a search says to the result that may be expected, and how far off that may be.

use super::worth::Estimate;
use super::Method;
use crate::error::KernelError;
use crate::search::Score;

/// What a search's readings are worth in a game, as measured: between knots of (reading, lowest,
/// mean and highest result).
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    knots: Vec<[f64; 4]>,
    mirrored: bool,
    scale: f64,
}

/// A result with the lowest and the highest that it may be.
type Interval = (f64, f64, f64);

impl Curve {
    /// A curve through knots whose readings rise. A mirrored one has knots from 0 up, and holds with
    /// the opposite sign below. `scale` is the score of the engine that reads as 1.
    pub fn new(knots: Vec<[f64; 4]>, mirrored: bool, scale: i32) -> Result<Self, KernelError> {
        let rising = knots.windows(2).all(|pair| pair[0][0] < pair[1][0]);
        let finite = knots.iter().flatten().all(|number| number.is_finite());
        if knots.is_empty() || !rising || !finite || scale < 1 {
            let why = "a curve needs knots whose readings rise, and a scale of 1 or more";
            return Err(KernelError::Tables(why.to_string()));
        }
        Ok(Self {
            knots,
            mirrored,
            scale: f64::from(scale),
        })
    }

    /// The lowest, the mean and the highest result that go with a reading.
    pub fn at(&self, reading: f64) -> Interval {
        if self.mirrored && reading < 0.0 {
            let (low, mean, high) = self.at(-reading);
            return (-high, -mean, -low);
        }
        let above = self.knots.partition_point(|knot| knot[0] <= reading);
        let before = self.knots[above.saturating_sub(1)];
        let after = self.knots[above.min(self.knots.len() - 1)];
        let span = after[0] - before[0];
        let share = if span > 0.0 {
            (reading - before[0]) / span
        } else {
            0.0
        };
        let between = |index: usize| before[index] + share * (after[index] - before[index]);
        (between(1), between(2), between(3))
    }

    /// A score of the engine from -1 to 1; beyond the scale it means little more.
    pub fn engine_reading(&self, score: Score) -> f64 {
        (f64::from(score) / self.scale).clamp(-1.0, 1.0)
    }

    /// The estimate behind a reading that may be off by `error`.
    pub(super) fn estimate(
        &self,
        reading: f64,
        error: f64,
        method: Method,
        samples: u64,
    ) -> Estimate {
        let (low, _, _) = self.at((reading - error).max(-1.0));
        let (_, _, high) = self.at((reading + error).min(1.0));
        Estimate {
            score: self.at(reading).1,
            low,
            high,
            method,
            samples,
        }
    }
}

/// The mean result of the best move's simulated games, from -1 to 1. The best of many means is too
/// high, the more so the fewer games are behind it.
pub(super) fn tree_reading(value: f64, visits: u32) -> f64 {
    (value - 2.0 / f64::from(visits.max(1)).sqrt()).max(-1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_knots_and_mirrored() -> Result<(), KernelError> {
        let knots = vec![[0.0, -0.5, 0.0, 0.5], [0.5, 0.0, 0.5, 1.0]];
        let curve = Curve::new(knots, true, 200)?;
        assert_eq!(curve.at(0.25), (-0.25, 0.25, 0.75));
        assert_eq!(curve.at(-0.25), (-0.75, -0.25, 0.25));
        assert_eq!(curve.at(0.9), (0.0, 0.5, 1.0));
        assert_eq!(curve.engine_reading(-50), -0.25);
        assert_eq!(curve.engine_reading(5000), 1.0);
        let unsure = curve.estimate(0.25, 0.25, Method::Tree, 9);
        assert_eq!((unsure.low, unsure.score, unsure.high), (-0.5, 0.25, 1.0));
        Ok(())
    }

    #[test]
    fn nonsense_is_refused() {
        let knot = [0.0, -0.5, 0.0, 0.5];
        assert!(Curve::new(vec![], true, 100).is_err());
        assert!(Curve::new(vec![knot, knot], true, 100).is_err());
        assert!(Curve::new(vec![[f64::NAN; 4]], true, 100).is_err());
        assert!(Curve::new(vec![knot], true, 0).is_err());
    }
}
