//! Learning: what must be true of it whatever the game.

use crate::boards;
use noughts_kernel::learn::{
    look, Network, Opponent, Played, QLearner, Rated, Schedule, TdLearner, TdOptions, Training,
    TupleTables, Update,
};
use noughts_kernel::limits::{Limits, Stop};
use noughts_kernel::lines::Lines;
use noughts_kernel::native::unlimited;
use noughts_kernel::position::{Move, Position};
use noughts_kernel::KernelError;

fn training(seed: u64, total: u64, threads: usize) -> Training {
    Training {
        seed,
        total,
        epsilon: Schedule { from: 1.0, to: 0.2 },
        rate: Schedule { from: 0.5, to: 0.1 },
        discount: 0.95,
        opponent: Opponent::Itself,
        threads,
    }
}

fn starts(misere: bool) -> Vec<Lines<u64>> {
    let tables = if misere {
        boards::misere(&[3, 3], 3)
    } else {
        boards::grid(&[3, 3], 3)
    };
    (0..2)
        .map(|turn| Lines::setup(&tables, &[None; 9], turn).unwrap())
        .collect()
}

fn learned(seed: u64, games: u64, threads: usize, misere: bool) -> QLearner<Lines<u64>> {
    let mut learner = QLearner::new(&starts(misere), false, &unlimited()).unwrap();
    let report = learner
        .train(games, &training(seed, games, threads), &unlimited())
        .unwrap();
    assert_eq!(report.tally.games, games);
    assert_eq!(report.stopped, None);
    learner
}

#[test]
fn every_choice_is_best_for_many_seeds() {
    for misere in [false, true] {
        for seed in 0..10 {
            for threads in [1, 2] {
                let learner = learned(seed, 100_000, threads, misere);
                // 765 classes when the first seat begins and as many when the second does.
                assert_eq!(learner.atlas().len(), 1530);
                let grade = learner.atlas().grade(learner.values());
                assert_eq!(grade.positions, 1254);
                assert_eq!(grade.optimal, grade.positions, "seed {seed}, {threads}");
                assert_eq!(grade.lost, 0.0);
            }
        }
    }
}

#[test]
fn an_empty_table_is_graded_too() {
    let learner = QLearner::new(&starts(false), false, &unlimited()).unwrap();
    let grade = learner.atlas().grade(learner.values());
    assert!(grade.optimal < grade.positions * 3 / 4);
    assert!(grade.sound >= grade.optimal && grade.lost > 100.0);
}

#[test]
fn a_seed_and_a_number_of_threads_repeat_a_training() {
    for threads in [1, 2, 3] {
        let (one, two) = (
            learned(7, 5000, threads, false),
            learned(7, 5000, threads, false),
        );
        assert_eq!(one.values(), two.values());
        assert_eq!(one.visits(), two.visits());
    }
    assert_ne!(
        learned(7, 5000, 1, false).values(),
        learned(8, 5000, 1, false).values()
    );
}

#[test]
fn a_training_in_two_parts_is_the_training_in_one() {
    let whole = learned(3, 20_000, 2, false);
    let how = training(3, 20_000, 2);
    let mut first = QLearner::new(&starts(false), false, &unlimited()).unwrap();
    let never = |_: &noughts_kernel::limits::Progress| false;
    let limits = Limits {
        nodes: Some(3000),
        progress: Some(&never),
        ..unlimited()
    };
    let report = first.train(20_000, &how, &limits).unwrap();
    assert!(matches!(
        report.stopped,
        Some(Stop::Nodes | Stop::Cancelled)
    ));
    assert!((1..20_000).contains(&first.games()));
    let rows: Vec<_> = (0..first.atlas().len())
        .map(|class| {
            (
                first.atlas().codes()[class],
                first.values()[class],
                first.visits()[class],
            )
        })
        .collect();
    let mut second = QLearner::new(&starts(false), false, &unlimited()).unwrap();
    second.restore(first.games(), rows.into_iter()).unwrap();
    let left = 20_000 - second.games();
    second.train(left, &how, &unlimited()).unwrap();
    assert_eq!(second.values(), whole.values());
    let foreign = second.restore(1, [(u128::MAX, 0.0, 1)].into_iter());
    assert!(matches!(foreign, Err(KernelError::Position(_))));
}

#[test]
fn opponents_take_their_seat_and_perfect_ones_never_lose() {
    let mut how = training(1, 4000, 1);
    how.epsilon = Schedule { from: 1.0, to: 1.0 };
    let mut learner = QLearner::new(&starts(false), false, &unlimited()).unwrap();
    how.opponent = Opponent::Perfect;
    let (mut explored, mut plies) = (0, 0);
    for pair in 0..1000 {
        // Two games with the learner in one seat, then two in the other; it plays at random.
        let report = learner.train(2, &how, &unlimited()).unwrap();
        assert_eq!(report.tally.wins[pair % 2], 0);
        explored += report.explored;
        plies += report.tally.plies;
    }
    assert!(explored.abs_diff(plies - explored) < 2000);
    how.opponent = Opponent::Random;
    let random = learner.train(4000, &how, &unlimited()).unwrap();
    assert!(random.tally.wins.iter().all(|wins| *wins > 1000));
}

#[test]
fn a_game_can_be_learned_from_move_by_move() {
    let mut learner = QLearner::new(&starts(false), false, &unlimited()).unwrap();
    let moves = [4, 0, 1, 7, 2, 6, 3, 5, 8];
    for _ in 0..50 {
        learner.learn(0, &moves, 0.5, 1.0).unwrap();
    }
    assert_eq!(learner.games(), 50);
    assert_eq!(learner.visits().iter().filter(|n| **n > 0).count(), 9);
    assert!(matches!(
        learner.learn(0, &[4, 4], 0.5, 1.0),
        Err(KernelError::IllegalMove(4))
    ));
    assert!(learner.learn(5, &[4], 0.5, 1.0).is_err());
    // X takes the top row at once: the last move is worth a win, the one before it is not.
    let won = [0, 3, 1, 4, 2];
    for _ in 0..50 {
        learner.learn(0, &won, 0.5, 1.0).unwrap();
    }
    let top = learner.values().iter().copied().fold(f32::MIN, f32::max);
    assert!(top > 0.99);
}

#[test]
fn a_table_stays_within_its_memory() {
    let limits = Limits {
        memory: 10_000,
        ..unlimited()
    };
    let refused = QLearner::new(&starts(false), false, &limits);
    assert!(matches!(refused, Err(KernelError::Memory { .. })));
    let mut three = boards::grid(&[3, 3], 3);
    three.players = 3;
    let root = Lines::<u64>::setup(&three, &[None; 9], 0).unwrap();
    assert!(QLearner::new(&[root], false, &unlimited()).is_err());
    assert!(QLearner::<Lines<u64>>::new(&[], false, &unlimited()).is_err());
    let mut learner = QLearner::new(&starts(false), false, &unlimited()).unwrap();
    let mut how = training(0, 10, 1);
    how.epsilon.to = 2.0;
    assert!(learner.train(10, &how, &unlimited()).is_err());
}

/// The eight lines of 3x3: those that symmetries map onto each other share a table.
fn shape() -> TupleTables {
    let tuples = vec![
        vec![0, 1, 2],
        vec![6, 7, 8],
        vec![0, 3, 6],
        vec![2, 5, 8],
        vec![3, 4, 5],
        vec![1, 4, 7],
        vec![0, 4, 8],
        vec![2, 4, 6],
    ];
    TupleTables {
        cells: 9,
        tuples,
        tables: vec![0, 0, 0, 0, 1, 1, 2, 2],
        mirror: Vec::new(),
    }
}

fn options() -> TdOptions {
    TdOptions {
        lambda: 0.7,
        opening: 2,
    }
}

#[test]
fn a_network_learns_to_take_a_win_and_to_keep_one_from_the_other() {
    let roots = starts(false);
    let mut learner = TdLearner::new(&roots, Network::new(shape()).unwrap()).unwrap();
    let mut how = training(1, 3000, 1);
    how.epsilon = Schedule { from: 0.2, to: 0.1 };
    how.rate = Schedule { from: 1.0, to: 0.5 };
    let report = learner.train(3000, &how, &options(), &unlimited()).unwrap();
    assert_eq!(report.tally.games, 3000);
    // X in 0 and 1, O in 4: O must take 2. O in 0 and 1: X wins there.
    let mut here = roots[0].clone();
    for mv in [0, 4, 1] {
        here.play(mv);
    }
    for depth in [1, 2, 3] {
        let rated = look(learner.network(), &here, depth);
        let best = rated.iter().max_by(|a, b| a.value.total_cmp(&b.value));
        assert_eq!(best.map(|best| best.mv), Some(2), "{depth}: {rated:?}");
    }
    here.play(3);
    let rated = look(learner.network(), &here, 1);
    let win = rated.iter().find(|entry| entry.mv == 2).unwrap();
    assert_eq!((win.value, win.ends), (1.0, true));
}

#[test]
fn a_network_repeats_itself_and_goes_on_where_it_stopped() {
    let roots = starts(false);
    let fresh = || TdLearner::new(&roots, Network::new(shape()).unwrap()).unwrap();
    for threads in [1, 2] {
        let how = training(5, 600, threads);
        let (mut one, mut two) = (fresh(), fresh());
        one.train(600, &how, &options(), &unlimited()).unwrap();
        let limits = Limits {
            nodes: Some(100),
            ..unlimited()
        };
        two.train(600, &how, &options(), &limits).unwrap();
        assert!(two.games() < 600);
        let mut three = fresh();
        let (sums, sizes) = two.coherence();
        three
            .restore(two.games(), two.network().weights(), sums, sizes)
            .unwrap();
        let left = 600 - three.games();
        three.train(left, &how, &options(), &unlimited()).unwrap();
        assert_eq!(one.network().weights(), three.network().weights());
        assert!(one.network().weights().iter().any(|w| *w != 0.0));
    }
    assert!(fresh().restore(1, &[0.0], &[0.0], &[0.0]).is_err());
}

#[test]
fn a_reader_sums_what_a_fresh_one_does() {
    // Moves rated one by one must agree with the network read anew after each of them.
    let roots = starts(false);
    let mut learner = TdLearner::new(&roots, Network::new(shape()).unwrap()).unwrap();
    let how = training(2, 500, 1);
    learner.train(500, &how, &options(), &unlimited()).unwrap();
    let network = learner.network();
    let mut here = roots[0].clone();
    for mv in [4, 0, 8, 2] {
        for entry in look(network, &here, 1) {
            let mut after = here.clone();
            after.play(entry.mv);
            if after.outcome().is_none() {
                let seat = here.turn();
                let digit = |cell: &u16| match after.at(usize::from(*cell)) {
                    None => 0usize,
                    Some(owner) if owner == seat => 1,
                    Some(_) => 2,
                };
                let sum: f32 = (0..8)
                    .map(|tuple| {
                        let cells = &shape().tuples[tuple];
                        let place: usize = (0..3)
                            .map(|i| digit(&cells[i]) * 3usize.pow(i as u32))
                            .sum();
                        network.weights()[27 * usize::from(shape().tables[tuple]) + place]
                    })
                    .sum();
                assert!((entry.value - sum.tanh()).abs() < 1e-5);
            }
        }
        here.play(mv);
    }
}

#[test]
fn games_with_others_teach_a_network_too() {
    let roots = starts(false);
    let mut learner = TdLearner::new(&roots, Network::new(shape()).unwrap()).unwrap();
    let update = Update {
        rate: training(0, 100, 1).rate.from,
        discount: 1.0,
        lambda: options().lambda,
    };
    let won = [0, 3, 1, 4, 2];
    let game = |opening, seat| Played {
        root: 0,
        moves: &won,
        opening,
        seat,
    };
    let first = learner.learn(&game(0, None), &update).unwrap();
    let mut last = first;
    for _ in 0..50 {
        last = learner.learn(&game(0, Some(0)), &update).unwrap();
    }
    assert!(last < first);
    assert_eq!(learner.games(), 51);
    // Of a game that was opened by lot to its last move there is nothing to learn.
    let before = learner.network().weights().to_vec();
    learner.learn(&game(4, None), &update).unwrap();
    assert_eq!(learner.network().weights(), before);
    let wrong = Played {
        moves: &[0, 0],
        ..game(0, None)
    };
    assert!(learner.learn(&wrong, &update).is_err());
}

#[test]
fn shapes_that_make_no_sense_are_refused() {
    let made = |change: &dyn Fn(&mut TupleTables)| {
        let mut wrong = shape();
        change(&mut wrong);
        Network::new(wrong)
    };
    assert!(made(&|shape| shape.tuples[0] = vec![9, 1, 2]).is_err());
    assert!(made(&|shape| shape.tuples[0] = vec![]).is_err());
    assert!(made(&|shape| shape.tuples[1] = vec![6, 7]).is_err());
    assert!(made(&|shape| shape.tables[0] = 4).is_err());
    assert!(made(&|shape| shape.tables.truncate(3)).is_err());
    assert!(made(&|shape| shape.mirror = vec![0, 1, 2]).is_err());
    assert!(made(&|shape| shape.mirror = vec![0; 9]).is_err());
    assert!(made(&|shape| shape.mirror = (1..10).collect()).is_err());
    assert!(made(&|shape| shape.mirror = (0..10).collect()).is_err());
    let mut other = shape();
    other.cells = 10;
    assert!(TdLearner::new(&starts(false), Network::new(other).unwrap()).is_err());
}

#[test]
fn the_second_seat_sees_the_board_in_the_mirror() {
    // Every line has weights of its own, so that a turned board is another one.
    let plain = TupleTables {
        tables: (0..8).collect(),
        ..shape()
    };
    let turned = vec![0, 3, 6, 1, 4, 7, 2, 5, 8];
    let mirrored = TupleTables {
        mirror: turned.clone(),
        ..plain.clone()
    };
    let made = |shape: TupleTables| {
        let mut network = Network::new(shape).unwrap();
        for (place, weight) in network.weights_mut().iter_mut().enumerate() {
            *weight = ((place * 37 % 101) as f32 - 50.0) / 500.0;
        }
        network
    };
    let (plain, mirrored) = (made(plain), made(mirrored));
    let image = |mv: Move| Move::try_from(turned[usize::try_from(mv).unwrap()]).unwrap();
    let [mut first, mut second] = <[_; 2]>::try_from(starts(false)).unwrap();
    let mut unlike = 0;
    for mv in [1, 0, 5, 7] {
        for depth in [1, 3] {
            let own: Vec<_> = look(&mirrored, &first, depth)
                .iter()
                .map(|rated| (image(rated.mv), rated.value))
                .collect();
            let mut theirs: Vec<_> = look(&mirrored, &second, depth)
                .iter()
                .map(|rated| (rated.mv, rated.value))
                .collect();
            let without = look(&plain, &second, depth);
            let differs = |(plain, (_, value)): (&Rated, &(Move, f32))| plain.value != *value;
            unlike += usize::from(without.iter().zip(&theirs).any(differs));
            theirs.sort_by_key(|(mv, _)| own.iter().position(|(other, _)| other == mv));
            for ((mv, value), (other, same)) in own.iter().zip(&theirs) {
                assert_eq!(mv, other);
                assert!((value - same).abs() < 1e-6, "{value} {same}");
            }
        }
        first.play(mv);
        second.play(image(mv));
    }
    assert!(unlike >= 4, "a mirror makes a difference");
}
