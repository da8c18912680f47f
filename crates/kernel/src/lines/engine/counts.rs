//! What the marks add up to, set by set and cell by cell.
//!
//! A move changes the sets through its cell at once. What that means for the sums of their cells
//! is only written down, and worked out when somebody asks for the sums: most positions of a
//! search are left before anybody does.

use super::board::NOBODY;
use super::shape::{Shape, ROOM};

/// One winning set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Set {
    /// Marks of each seat.
    pub marks: [u8; 2],
    /// Marks of each seat in the caps.
    pub caps: [u8; 2],
    /// The empty cells, all xored: the missing cell itself when there is one.
    pub gap: u16,
    /// The two missing cells, as of when it last came to lack two.
    pub pair: [u16; 2],
    /// Where it stands in each seat's roster, when it is in one.
    pub place: [u16; 2],
}

impl Set {
    /// Whether a seat can still complete it.
    #[inline]
    pub fn is_live(&self, seat: usize) -> bool {
        self.marks[1 - seat] == 0 && self.caps[seat] == 0
    }
}

/// A number to be added to the sums of a set's cells.
#[derive(Clone, Copy, Debug)]
struct Change {
    pull: i32,
    set: u16,
    seat: u8,
}

/// A set that came to a roster or left one.
#[derive(Clone, Copy, Debug)]
struct Transfer {
    set: u16,
    place: u16,
    seat: u8,
    which: u8,
    came: bool,
}

/// Where everything was before a move.
#[derive(Clone, Copy, Debug)]
struct Step {
    totals: [i64; 2],
    changes: u32,
    transfers: u32,
}

/// The sums, and how to take them back.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    /// Per cell and seat, the sum over the live sets through it, as far as worked out.
    sums: Box<[[i32; 2]; ROOM]>,
    /// Per cell and seat, the live sets that lack it and one more.
    pairs: Box<[[u16; 2]; ROOM]>,
    /// Per seat, over all its live sets.
    pub totals: [i64; 2],
    pub sets: Vec<Set>,
    /// Per seat: the live sets that lack one, and those that lack two.
    pub rosters: [[Vec<u16>; 2]; 2],
    changes: Vec<Change>,
    /// How many of the changes are in the sums.
    settled: usize,
    transfers: Vec<Transfer>,
    steps: Vec<Step>,
}

impl Counts {
    /// The counts of the empty board.
    pub fn new(shape: &Shape) -> Self {
        let mut counts = Self {
            sums: Box::new([[0; 2]; ROOM]),
            pairs: Box::new([[0; 2]; ROOM]),
            totals: [0; 2],
            sets: vec![Set::default(); shape.sets()],
            rosters: Default::default(),
            changes: Vec::with_capacity(4096),
            settled: 0,
            transfers: Vec::with_capacity(1024),
            steps: Vec::with_capacity(ROOM),
        };
        for set in 0..shape.sets() {
            let members = shape.members.of(set);
            counts.sets[set].gap = members.iter().fold(0, |gap, cell| gap ^ cell);
            for seat in 0..2 {
                let level = shape.levels[usize::from(shape.bases[set])];
                counts.totals[seat] += level.worth;
                counts.change(set, seat, level.pull);
                counts.enter(shape, &[NOBODY; ROOM], set, seat, level.lack);
            }
        }
        counts.begin(shape);
        counts
    }

    /// Makes this the position that nothing is taken back from.
    pub fn begin(&mut self, shape: &Shape) {
        self.settle(shape);
        self.changes.clear();
        self.settled = 0;
        self.transfers.clear();
        self.steps.clear();
    }

    #[inline]
    fn change(&mut self, set: usize, seat: usize, pull: i32) {
        if pull != 0 {
            self.changes.push(Change {
                pull,
                set: set as u16,
                seat: seat as u8,
            });
        }
    }

    /// Works out the sums.
    pub fn settle(&mut self, shape: &Shape) {
        while self.settled < self.changes.len() {
            let change = self.changes[self.settled];
            self.add(shape, change.set, change.seat, change.pull);
            self.settled += 1;
        }
    }

    #[inline]
    fn add(&mut self, shape: &Shape, set: u16, seat: u8, pull: i32) {
        for cell in shape.members.of(usize::from(set)) {
            let sum = &mut self.sums[usize::from(*cell) & (ROOM - 1)][usize::from(seat) & 1];
            *sum += pull;
        }
    }

    /// The sum of a cell for a seat, as of the last [`Counts::settle`].
    #[inline]
    pub fn sum(&self, cell: usize, seat: usize) -> i32 {
        self.sums[cell & (ROOM - 1)][seat & 1]
    }

    /// How many live sets of a seat lack a cell and one more.
    #[inline]
    pub fn pairs(&self, cell: usize, seat: usize) -> u16 {
        self.pairs[cell & (ROOM - 1)][seat & 1]
    }

    /// Puts a mark of `me` into a cell, which `owner` says already.
    pub fn play(&mut self, shape: &Shape, owner: &[u8; ROOM], cell: usize, me: usize) {
        self.steps.push(Step {
            totals: self.totals,
            changes: self.changes.len() as u32,
            transfers: self.transfers.len() as u32,
        });
        let you = 1 - me;
        for set in shape.through.of(cell) {
            let set = usize::from(*set);
            let state = &mut self.sets[set];
            let before = *state;
            state.marks[me] += 1;
            state.gap ^= cell as u16;
            if before.marks[me] == 0 && before.caps[you] == 0 {
                self.kill(shape, set, you);
            }
            if before.is_live(me) {
                self.grow(shape, owner, set, me, before.marks[me]);
            }
        }
        for set in shape.capping.of(cell) {
            let set = usize::from(*set);
            let live = self.sets[set].is_live(me);
            self.sets[set].caps[me] += 1;
            if live {
                self.kill(shape, set, me);
            }
        }
    }

    /// Takes the last mark back, which `me` put into this cell.
    pub fn undo(&mut self, shape: &Shape, cell: usize, me: usize) {
        let Some(step) = self.steps.pop() else { return };
        for set in shape.capping.of(cell) {
            self.sets[usize::from(*set)].caps[me] -= 1;
        }
        for set in shape.through.of(cell) {
            let state = &mut self.sets[usize::from(*set)];
            state.marks[me] -= 1;
            state.gap ^= cell as u16;
        }
        self.totals = step.totals;
        let changes = step.changes as usize;
        while self.settled > changes {
            self.settled -= 1;
            let change = self.changes[self.settled];
            self.add(shape, change.set, change.seat, -change.pull);
        }
        self.changes.truncate(changes);
        while self.transfers.len() > step.transfers as usize {
            if let Some(transfer) = self.transfers.pop() {
                self.undo_transfer(transfer);
            }
        }
    }

    /// Moves a live set on by one mark.
    #[inline]
    fn grow(&mut self, shape: &Shape, owner: &[u8; ROOM], set: usize, seat: usize, marks: u8) {
        let base = usize::from(shape.bases[set]) + usize::from(marks);
        let (old, new) = (shape.levels[base], shape.levels[base + 1]);
        self.totals[seat] += new.worth - old.worth;
        self.change(set, seat, new.pull - old.pull);
        if new.lack <= 2 {
            self.leave(set, seat, old.lack);
            self.enter(shape, owner, set, seat, new.lack);
        }
    }

    /// Takes a live set from a seat.
    #[inline]
    fn kill(&mut self, shape: &Shape, set: usize, seat: usize) {
        let base = usize::from(shape.bases[set]);
        let level = shape.levels[base + usize::from(self.sets[set].marks[seat])];
        self.totals[seat] -= level.worth;
        self.change(set, seat, -level.pull);
        self.leave(set, seat, level.lack);
    }

    fn enter(&mut self, shape: &Shape, owner: &[u8; ROOM], set: usize, seat: usize, lack: u16) {
        if !(1..=2).contains(&lack) {
            return;
        }
        let which = usize::from(lack) - 1;
        if which == 1 {
            let members = shape.members.of(set);
            let empty = |cell: &&u16| owner[usize::from(**cell) & (ROOM - 1)] == NOBODY;
            let first = members.iter().find(empty).copied().unwrap_or(0);
            self.sets[set].pair = [first, self.sets[set].gap ^ first];
            self.count_pair(set, seat, 1);
        }
        let roster = &mut self.rosters[seat][which];
        let place = roster.len() as u16;
        roster.push(set as u16);
        self.sets[set].place[seat] = place;
        self.transfers.push(Transfer {
            set: set as u16,
            place,
            seat: seat as u8,
            which: which as u8,
            came: true,
        });
    }

    #[inline]
    fn leave(&mut self, set: usize, seat: usize, lack: u16) {
        if !(1..=2).contains(&lack) {
            return;
        }
        let which = usize::from(lack) - 1;
        if which == 1 {
            self.count_pair(set, seat, u16::MAX);
        }
        let place = self.sets[set].place[seat];
        let roster = &mut self.rosters[seat][which];
        roster.swap_remove(usize::from(place));
        if let Some(moved) = roster.get(usize::from(place)) {
            self.sets[usize::from(*moved)].place[seat] = place;
        }
        self.transfers.push(Transfer {
            set: set as u16,
            place,
            seat: seat as u8,
            which: which as u8,
            came: false,
        });
    }

    /// The rosters end as they were, order included.
    fn undo_transfer(&mut self, transfer: Transfer) {
        let (set, seat) = (usize::from(transfer.set), usize::from(transfer.seat));
        let which = usize::from(transfer.which);
        if which == 1 {
            self.count_pair(set, seat, if transfer.came { u16::MAX } else { 1 });
        }
        let roster = &mut self.rosters[seat][which];
        if transfer.came {
            roster.pop();
            return;
        }
        let (place, last) = (usize::from(transfer.place), roster.len());
        roster.push(transfer.set);
        roster.swap(place, last);
        self.sets[usize::from(roster[last])].place[seat] = last as u16;
        self.sets[set].place[seat] = transfer.place;
    }

    /// Counts a set that lacks two for both its missing cells; `u16::MAX` counts it out.
    #[inline]
    fn count_pair(&mut self, set: usize, seat: usize, by: u16) {
        for cell in self.sets[set].pair {
            let count = &mut self.pairs[usize::from(cell) & (ROOM - 1)][seat];
            *count = count.wrapping_add(by);
        }
    }
}
