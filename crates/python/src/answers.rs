//! What searches return, as dictionaries.

use noughts_kernel::analysis::{Analysis, Method, Worth};
use noughts_kernel::count::{ByOutcome, Count};
use noughts_kernel::learn::Report;
use noughts_kernel::levels::{LevelChoice, Saw};
use noughts_kernel::limits::Stop;
use noughts_kernel::mcts::MctsResult;
use noughts_kernel::playouts::Tally;
use noughts_kernel::position::Outcome;
use noughts_kernel::search::{Bounds, EngineChoice, Value, ValueMap, Verdict};
use noughts_kernel::KernelError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

type Dict<'py> = PyResult<Bound<'py, PyDict>>;

fn word(value: Value) -> &'static str {
    match value {
        Value::Loss => "loss",
        Value::Draw => "draw",
        Value::Win => "win",
    }
}

fn stop(stopped: Option<Stop>) -> Option<String> {
    stopped.map(|stop| stop.to_string())
}

/// A proven outcome: the winning seat, or −1 for a draw.
fn seat(outcome: Option<Outcome>) -> Option<i16> {
    outcome.map(|outcome| match outcome {
        Outcome::Win(seat) => i16::from(seat),
        Outcome::Draw => -1,
    })
}

fn bounds_dict<'py>(py: Python<'py>, bounds: &Bounds) -> Dict<'py> {
    let dict = PyDict::new(py);
    dict.set_item("lower", word(bounds.lower))?;
    dict.set_item("upper", word(bounds.upper))?;
    dict.set_item("distance", bounds.distance())?;
    dict.set_item("least", bounds.least)?;
    dict.set_item("most", bounds.most)?;
    dict.set_item("margin", bounds.margin)?;
    Ok(dict)
}

/// The answer of `solve`.
pub fn verdict_dict<'py>(py: Python<'py>, verdict: &Verdict) -> Dict<'py> {
    let dict = PyDict::new(py);
    dict.set_item("bounds", bounds_dict(py, &verdict.bounds)?)?;
    dict.set_item("best", &verdict.best)?;
    dict.set_item("line", &verdict.line)?;
    dict.set_item("nodes", verdict.nodes)?;
    dict.set_item("seconds", verdict.elapsed.as_secs_f64())?;
    dict.set_item("stopped", stop(verdict.stopped))?;
    Ok(dict)
}

/// The answer of `map`.
pub fn map_dict<'py>(py: Python<'py>, map: &ValueMap) -> Dict<'py> {
    let moves = PyList::empty(py);
    for entry in &map.moves {
        moves.append((entry.mv, bounds_dict(py, &entry.bounds)?))?;
    }
    let dict = PyDict::new(py);
    dict.set_item("moves", moves)?;
    dict.set_item("nodes", map.nodes)?;
    dict.set_item("seconds", map.elapsed.as_secs_f64())?;
    dict.set_item("stopped", stop(map.stopped))?;
    Ok(dict)
}

/// The answer of `engine`.
pub fn engine_dict<'py>(py: Python<'py>, choice: &EngineChoice) -> Dict<'py> {
    let proven = choice
        .proven
        .map(|proven| (word(proven.value), proven.distance));
    let dict = PyDict::new(py);
    dict.set_item("best", choice.best)?;
    dict.set_item("score", choice.score)?;
    dict.set_item("steady", choice.steady())?;
    dict.set_item("proven", proven)?;
    dict.set_item("depth", choice.depth)?;
    dict.set_item("nodes", choice.nodes)?;
    dict.set_item("line", &choice.line)?;
    dict.set_item("moves", &choice.moves)?;
    dict.set_item("stopped", stop(choice.stopped))?;
    dict.set_item("seconds", choice.elapsed.as_secs_f64())?;
    Ok(dict)
}

/// The answer of `choose`.
pub fn level_dict<'py>(py: Python<'py>, choice: &LevelChoice) -> Dict<'py> {
    let (saw, depth) = match choice.saw {
        Saw::Win => ("win", 1),
        Saw::Block => ("block", 1),
        Saw::OnlyMove => ("only_move", 1),
        Saw::Depth(depth) => ("depth", depth),
    };
    let dict = PyDict::new(py);
    dict.set_item("best", choice.best)?;
    dict.set_item("score", choice.score)?;
    dict.set_item("saw", saw)?;
    dict.set_item("depth", depth)?;
    dict.set_item("nodes", choice.nodes)?;
    dict.set_item("moves", &choice.moves)?;
    dict.set_item("stopped", stop(choice.stopped))?;
    Ok(dict)
}

fn method(method: Method) -> &'static str {
    match method {
        Method::None => "none",
        Method::Rules => "rules",
        Method::Solver => "solver",
        Method::Engine => "engine",
        Method::Tree => "mcts",
    }
}

fn worth_dict<'py>(py: Python<'py>, worth: &Worth) -> Dict<'py> {
    let dict = PyDict::new(py);
    match worth {
        Worth::Certain(certain) => {
            dict.set_item("proven", true)?;
            dict.set_item("value", word(certain.value))?;
            dict.set_item("distance", certain.distance)?;
            dict.set_item("margin", certain.margin)?;
            dict.set_item("within", certain.within)?;
        }
        Worth::Estimate(estimate) => {
            dict.set_item("proven", false)?;
            dict.set_item("score", estimate.score)?;
            dict.set_item("low", estimate.low)?;
            dict.set_item("high", estimate.high)?;
            dict.set_item("by", method(estimate.method))?;
            dict.set_item("samples", estimate.samples)?;
        }
    }
    Ok(dict)
}

/// The answer of `analyse`.
pub fn analysis_dict<'py>(py: Python<'py>, analysis: &Analysis) -> Dict<'py> {
    let worth = |worth: &Option<Worth>| worth.map(|worth| worth_dict(py, &worth)).transpose();
    let moves = PyList::empty(py);
    for (mv, value) in &analysis.moves {
        moves.append((mv, worth(value)?))?;
    }
    let bounds = (word(analysis.bounds.0), word(analysis.bounds.1));
    let dict = PyDict::new(py);
    dict.set_item("worth", worth(&analysis.worth)?)?;
    dict.set_item("best", &analysis.best)?;
    dict.set_item("moves", moves)?;
    dict.set_item("line", &analysis.line)?;
    dict.set_item("method", method(analysis.method))?;
    dict.set_item("bounds", bounds)?;
    dict.set_item("nodes", analysis.nodes)?;
    dict.set_item("seconds", analysis.elapsed.as_secs_f64())?;
    dict.set_item("stopped", stop(analysis.stopped))?;
    Ok(dict)
}

/// The answer of `playouts`.
pub fn tally_dict<'py>(py: Python<'py>, tally: &Tally) -> Dict<'py> {
    let dict = PyDict::new(py);
    dict.set_item("games", tally.games)?;
    dict.set_item("wins", &tally.wins)?;
    dict.set_item("draws", tally.draws)?;
    dict.set_item("plies", tally.plies)?;
    dict.set_item("lengths", &tally.lengths)?;
    dict.set_item("stopped", stop(tally.stopped))?;
    Ok(dict)
}

/// The answer of `train`.
pub fn trained_dict<'py>(py: Python<'py>, report: &Report) -> Dict<'py> {
    let dict = tally_dict(py, &report.tally)?;
    dict.set_item("error", report.error)?;
    dict.set_item("updates", report.updates)?;
    dict.set_item("explored", report.explored)?;
    dict.set_item("stopped", stop(report.stopped))?;
    Ok(dict)
}

/// The answer of `mcts`.
pub fn mcts_dict<'py>(py: Python<'py>, result: &MctsResult) -> Dict<'py> {
    let moves: Vec<_> = result
        .moves
        .iter()
        .map(|mv| (mv.mv, mv.visits, mv.value, seat(mv.proven)))
        .collect();
    let dict = PyDict::new(py);
    dict.set_item("best", result.best)?;
    dict.set_item("moves", moves)?;
    dict.set_item("value", result.value)?;
    dict.set_item("proven", seat(result.proven))?;
    dict.set_item("line", &result.line)?;
    dict.set_item("simulations", result.simulations)?;
    dict.set_item("full", result.full)?;
    dict.set_item("bytes", result.bytes)?;
    dict.set_item("seconds", result.elapsed.as_secs_f64())?;
    dict.set_item("stopped", stop(result.stopped))?;
    Ok(dict)
}

/// The answer of `count`.
pub fn count_dict<'py>(py: Python<'py>, counted: &Count) -> Dict<'py> {
    let outcomes = |by: &ByOutcome| (by.wins.clone(), by.draws);
    let plies: Result<Vec<_>, KernelError> = counted
        .plies
        .iter()
        .map(|ply| Ok((ply.positions, ply.canonical, ply.games.total()?)))
        .collect();
    let plies = plies.map_err(|error| crate::search::raise(py, &error))?;
    let dict = PyDict::new(py);
    dict.set_item("positions", counted.positions)?;
    dict.set_item("canonical", counted.canonical)?;
    dict.set_item("terminal", outcomes(&counted.terminals))?;
    dict.set_item("games", outcomes(&counted.games))?;
    dict.set_item("plies", plies)?;
    Ok(dict)
}
