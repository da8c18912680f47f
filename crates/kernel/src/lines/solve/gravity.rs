//! The prover for boards where a cell opens when another one is taken, on sets without caps.
//!
//! A threat counts only once its cell is open, so nothing of what the other provers know about free
//! boards holds here. What does: whoever can complete a set now wins, a single open threat must be
//! met, nobody opens a cell that completes the other's set, and a defender who always answers on
//! the cell that was just opened gets every second cell of each column.

use crate::bits::{scramble, Bits};
use crate::error::KernelError;
use crate::limits::Meter;
use crate::lines::{Lines, Rules};
use crate::memory::left;
use crate::position::Position;
use crate::search::proofs::{Known, Table};
use crate::search::prover::{tick, Count, Halt, Prover, Reply, Tried, FOREVER};
use crate::search::Options;

use super::sides::{ATTACKER, DEFENDER};

/// A position of the search.
#[derive(Clone, Debug, Default)]
struct Node<B: Bits> {
    marks: [B; 2],
    empty: B,
    /// The empty cells that are open.
    open: B,
    /// For each side the empty cells, open or not, that complete a set of it.
    wins: [B; 2],
    /// The attacker can complete no set before this one.
    witness: u32,
    /// The codes of all symmetric images.
    codes: Vec<u128>,
}

/// A move to try.
#[derive(Clone, Copy, Debug)]
struct Candidate<B: Bits> {
    rank: u32,
    cell: u16,
    /// The cells that complete a set once this one is taken.
    wins: B,
}

/// Answers questions about [`Lines`] with gravity.
pub(crate) struct Gravity<'m, 'a, B: Bits> {
    table: Table<u64>,
    meter: &'m mut Meter<'a>,
    options: Options,
    /// For each symmetry and cell, what a mark of the attacker on its image adds to the code.
    digits: Vec<Vec<u128>>,
    /// For each symmetry, the image of a cell.
    images: Vec<Vec<u16>>,
    /// For each symmetry, the cell that has this image.
    sources: Vec<Vec<u16>>,
    /// Every second cell of each column, counted from its top; none where columns branch.
    seconds: Option<B>,
    stack: Vec<Node<B>>,
    candidates: Vec<Candidate<B>>,
    seat: u8,
    budget: u64,
}

impl<'m, 'a, B: Bits> Gravity<'m, 'a, B> {
    /// A prover for the positions of one game.
    pub fn new(
        position: &Lines<B>,
        options: Options,
        meter: &'m mut Meter<'a>,
    ) -> Result<Self, KernelError> {
        let rules = &*position.rules;
        let group = if options.symmetry {
            &rules.symmetries[..]
        } else {
            &rules.symmetries[..1]
        };
        let cells = rules.cells;
        let codes = group.len() * size_of::<u128>();
        let needed = (cells + 2) * (2 * codes + size_of::<Node<B>>());
        let bytes = options.table_memory.min(left(meter.memory(), needed)?);
        // Exact codes where they fit, sums of random numbers on larger boards.
        let digit = |cell: usize| match &rules.powers {
            Some(powers) => powers[cell],
            None => {
                let seed = 2 * cell as u64;
                u128::from(scramble(!seed)) << 64 | u128::from(scramble(seed + 1))
            }
        };
        let image = |p: &Vec<u16>| p.iter().map(|cell| digit(usize::from(*cell))).collect();
        let source = |permutation: &Vec<u16>| {
            let mut sources = vec![0; cells];
            for (cell, image) in permutation.iter().enumerate() {
                sources[usize::from(*image)] = cell as u16;
            }
            sources
        };
        let node = Node {
            codes: vec![0; group.len()],
            ..Node::default()
        };
        Ok(Self {
            table: Table::new(if options.table { bytes } else { 0 }),
            meter,
            options,
            digits: group.iter().map(image).collect(),
            images: group.to_vec(),
            sources: group.iter().map(source).collect(),
            seconds: seconds(rules),
            stack: vec![node; cells + 2],
            candidates: Vec::new(),
            seat: 0,
            budget: 0,
        })
    }

    /// The key of the smallest image, and which symmetry makes that.
    fn key(&self, depth: usize) -> (u128, usize) {
        let codes = self.stack[depth].codes.iter().enumerate();
        let (image, code) = codes.min_by_key(|(_, code)| **code).unwrap_or((0, &0));
        // The table tells 90 bits apart, so codes that are shorter are never confused.
        let code = code.wrapping_mul(2) + u128::from(self.seat);
        let (low, high) = (code as u64, (code >> 64) as u64);
        let key = u128::from(high << 38) << 64 | u128::from(scramble(low));
        (key, image)
    }

    /// The cells that complete a set of a side once it has taken `cell`.
    #[inline]
    fn wins_after(rules: &Rules<B>, node: &Node<B>, side: usize, cell: usize) -> B {
        let mine = node.marks[side].or(&B::one(cell));
        let mut wins = node.wins[side];
        for set in &rules.through[rules.range(cell)] {
            let missing = rules.sets[*set as usize].minus(&mine);
            if missing.count() == 1 && !missing.meets(&node.marks[1 - side]) {
                wins = wins.or(&missing);
            }
        }
        wins.minus(&B::one(cell))
    }

    /// Whether the attacker, who is to move, never wins against a defender who always answers on
    /// the cell that the last move opened.
    fn answered(&self, rules: &Rules<B>, node: &Node<B>) -> bool {
        let Some(seconds) = &self.seconds else {
            return false;
        };
        if node.open.meets(seconds) {
            return false;
        }
        let denied = node.marks[DEFENDER].or(&seconds.and(&node.empty));
        rules.sets.iter().all(|set| set.meets(&denied))
    }

    fn play(&mut self, rules: &Rules<B>, depth: usize, side: usize, cell: usize, wins: &B) {
        let (before, after) = self.stack.split_at_mut(depth + 1);
        let (node, next) = (&before[depth], &mut after[0]);
        let one = B::one(cell);
        next.marks = node.marks;
        next.marks[side] = node.marks[side].or(&one);
        next.empty = node.empty.minus(&one);
        next.open = node.open.minus(&one).or(&rules.frees[cell]);
        next.wins[side] = *wins;
        next.wins[1 - side] = node.wins[1 - side].minus(&one);
        next.witness = node.witness;
        let codes = next.codes.iter_mut().zip(&node.codes);
        for ((next, code), digits) in codes.zip(&self.digits) {
            *next = code.wrapping_add(digits[cell] << side);
        }
    }

    fn search(
        &mut self,
        rules: &Rules<B>,
        depth: usize,
        side: usize,
        plies: u32,
    ) -> Result<Reply, Halt> {
        tick(self.meter, self.budget)?;
        let node = &mut self.stack[depth];
        if node.empty.is_empty() || !can_win(rules, node) {
            return Ok(Reply::Refuted(FOREVER));
        }
        if plies == 0 {
            return Ok(Reply::Refuted(0));
        }
        let attacking = side == ATTACKER;
        if node.wins[side].meets(&node.open) {
            return Ok(if attacking {
                Reply::Proven(1)
            } else {
                Reply::Refuted(FOREVER)
            });
        }
        let threats = node.wins[1 - side].and(&node.open);
        // What a side that must lose to the next move, or the one after it, comes to.
        let lost = if attacking {
            Reply::Refuted(FOREVER)
        } else {
            Reply::Proven(2)
        };
        // Too few plies for anything but what has been looked at.
        if plies == 1 {
            return Ok(Reply::Refuted(1));
        }
        let forced = self.options.forced;
        if forced && threats.count() > 1 {
            return Ok(lost);
        }
        let node = &self.stack[depth];
        if attacking && self.options.pairing && self.answered(rules, node) {
            return Ok(Reply::Refuted(FOREVER));
        }
        let (key, image) = self.key(depth);
        let known = self.table.get(key);
        if let Some(reply) = known.reply(plies) {
            return Ok(reply);
        }
        let first = self.sources[image].get(usize::from(known.mv)).copied();
        let since = self.meter.nodes();
        let base = self.candidates.len();
        let moves = if forced && !threats.is_empty() {
            threats
        } else {
            node.open
        };
        for cell in moves.iter() {
            // A cell that opens a win for the other side is lost at once.
            if forced && rules.frees[cell].meets(&node.wins[1 - side]) {
                continue;
            }
            let wins = Self::wins_after(rules, node, side, cell);
            let rank = if first == Some(cell as u16) {
                u32::MAX
            } else {
                let through = rules.range(cell).len() as u32;
                wins.count() << 16 | through
            };
            let cell = cell as u16;
            self.candidates.push(Candidate { rank, cell, wins });
        }
        self.candidates[base..].sort_unstable_by_key(|c| (!c.rank, c.cell));
        let count = self.candidates.len() - base;
        // The moves that were left out count as well: the defender loses by them in two plies.
        let mut tried = Tried::new(attacking, u16::MAX);
        if attacking || forced && count < moves.count() as usize {
            tried.reply = lost;
        }
        for index in base..base + count {
            let Candidate { cell, wins, .. } = self.candidates[index];
            self.play(rules, depth, side, usize::from(cell), &wins);
            let reply = self.search(rules, depth + 1, 1 - side, plies - 1)?;
            if tried.take(cell, reply) {
                break;
            }
        }
        self.candidates.truncate(base);
        if self.options.table {
            let best = self.images[image].get(usize::from(tried.best));
            let known = Known::of(tried.reply, best.copied().unwrap_or(u16::MAX));
            self.table.put(key, self.meter.nodes() - since, &known);
        }
        Ok(tried.reply)
    }
}

/// Moves the witness on; whether the attacker can still complete a set.
#[inline]
fn can_win<B: Bits>(rules: &Rules<B>, node: &mut Node<B>) -> bool {
    let sets = &rules.sets[node.witness as usize..];
    let dead = sets
        .iter()
        .take_while(|set| set.meets(&node.marks[DEFENDER]));
    let dead = dead.count();
    node.witness += dead as u32;
    dead < sets.len()
}

/// The top of each column and every second cell below it; `None` where a cell opens several.
fn seconds<B: Bits>(rules: &Rules<B>) -> Option<B> {
    let mut seconds = B::default();
    for cell in 0..rules.cells {
        let (mut height, mut at) = (0, cell);
        while let Some(above) = rules.frees[at].first() {
            if rules.frees[at].count() > 1 {
                return None;
            }
            height += 1;
            at = above;
        }
        if height % 2 == 0 {
            seconds.insert(cell);
        }
    }
    Some(seconds)
}

impl<B: Bits> Prover<Lines<B>> for Gravity<'_, '_, B> {
    fn ask(
        &mut self,
        position: &Lines<B>,
        seat: u8,
        plies: u32,
        budget: u64,
    ) -> Result<Reply, Halt> {
        self.seat = seat;
        self.budget = budget;
        self.candidates.clear();
        let rules = &*position.rules;
        let marks = [seat, 1 - seat].map(|seat| position.marks[usize::from(seat)]);
        let root = &mut self.stack[0];
        root.marks = marks;
        root.empty = position.empty;
        root.open = *position.playable();
        root.witness = 0;
        root.wins = [B::default(); 2];
        for set in &rules.sets {
            for (side, mine) in marks.iter().enumerate() {
                let missing = set.minus(mine);
                if missing.count() == 1 && position.empty.contains(&missing) {
                    root.wins[side] = root.wins[side].or(&missing);
                }
            }
        }
        for (code, digits) in root.codes.iter_mut().zip(&self.digits) {
            *code = 0;
            for (side, mine) in marks.iter().enumerate() {
                for cell in mine.iter() {
                    *code = code.wrapping_add(digits[cell] << side);
                }
            }
        }
        let side = usize::from(position.turn() != seat);
        let reply = self.search(rules, 0, side, plies)?;
        Ok(match reply {
            Reply::Refuted(n) if n >= position.empty.count() => Reply::Refuted(FOREVER),
            reply => reply,
        })
    }

    fn meter(&mut self) -> &mut dyn Count {
        self.meter
    }
}
