//! The reference reasoner beside a plain Prolog translation of the same rules, in one run.
//!
//! The translation is what one writes by hand on a first day: a clause for each rule, fluents
//! and moves as dynamic facts, `setof` for the next state. Tests are put behind the literals
//! that bind their variables, and recursive relations are tabled; nothing else is tuned.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use cpu_time::ProcessTime;
use ludens_core::{Budget, Game, Rng, Uniform};
use ludens_gdl::rules::{Atom, Literal, Rule, Rules, Term};
use ludens_gdl::{Dependencies, Symbol};
use ludens_logic::LogicGame;

/// Playouts a CPU second, and how long the playouts are.
#[derive(Clone, Copy, Debug)]
struct Speed {
    playouts: f64,
    seconds: f64,
    plies: f64,
}

impl Speed {
    fn and(self, other: Speed) -> Speed {
        Speed {
            playouts: self.playouts + other.playouts,
            seconds: self.seconds + other.seconds,
            plies: self.plies + other.plies,
        }
    }

    fn rate(self) -> f64 {
        self.playouts / self.seconds
    }
}

/// What to measure.
#[derive(clap::Args)]
pub struct Args {
    /// Library names or files
    #[arg(default_values = ["tictactoe", "connectfour", "breakthrough"])]
    games: Vec<String>,
    /// CPU seconds for each program and game
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
}

/// Compares both on each game and prints a table.
pub fn run(args: &Args) -> Result<()> {
    let time = Duration::from_secs_f64(args.seconds);
    println!(
        "random playouts from the initial state a CPU second, one thread, {} s each",
        args.seconds
    );
    println!("{:16} {:>10} {:>10} {:>7}   mean plies of each", "game", "ludens", "prolog", "ratio");
    for game in &args.games {
        let source = ludens_catalog::load_source(game)?;
        let rules = ludens_gdl::load(&source.source.text).0;
        let rules =
            rules.with_context(|| format!("{game} cannot be played; see `ludens check`"))?;
        // Ours runs before and after, so that a change of the machine's speed shows in the mean.
        let before = ludens_speed(&rules, time / 2)?;
        let prolog = prolog_speed(&rules, time)?;
        let ours = before.and(ludens_speed(&rules, time / 2)?);
        println!(
            "{:16} {:10.1} {:10.1} {:6.1}x   {:.1} {:.1}",
            source.name,
            ours.rate(),
            prolog.rate(),
            ours.rate() / prolog.rate(),
            ours.plies / ours.playouts,
            prolog.plies / prolog.playouts
        );
    }
    Ok(())
}

fn ludens_speed(rules: &Rules, time: Duration) -> Result<Speed> {
    let game = Arc::new(LogicGame::load(rules, &Budget::unlimited())?);
    let start = Game::initial(&*game);
    let mut simulator = Arc::clone(&game).simulator();
    let mut rng = Rng::new(1);
    let mut out = Vec::new();
    let mut speed = Speed { playouts: 0.0, seconds: 0.0, plies: 0.0 };
    let begin = ProcessTime::now();
    while begin.elapsed() < time {
        out.clear();
        simulator.run(&[&start], &mut Uniform, &mut rng, &mut out);
        speed.playouts += 1.0;
        speed.plies += f64::from(out[0].plies);
    }
    speed.seconds = begin.elapsed().as_secs_f64();
    Ok(speed)
}

fn prolog_speed(rules: &Rules, time: Duration) -> Result<Speed> {
    let file = std::env::temp_dir().join(format!("ludens-{}.pl", std::process::id()));
    std::fs::File::create(&file)?.write_all(translate(rules).as_bytes())?;
    let goal = format!("bench({})", time.as_secs_f64());
    let output = Command::new("swipl")
        .args(["-q", "-O", "-g", &goal, "-t", "halt"])
        .arg(&file)
        .output()
        .context("swipl does not run; it is in the Debian package swi-prolog-nox")?;
    std::fs::remove_file(&file).ok();
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let &[playouts, plies, seconds] = &numbers[..] else {
        bail!("swipl answered {text:?} {}", String::from_utf8_lossy(&output.stderr));
    };
    Ok(Speed { playouts, seconds, plies })
}

/// The part that is the same for every game.
const DRIVER: &str = "
:- use_module(library(random)).
set_state(Facts) :- retractall(g_true(_)), forall(member(F, Facts), assertz(g_true(F))).
reset_tables :- (tabled -> abolish_all_tables ; true).
next_state(Next) :- (setof(F, g_next(F), Next) -> true ; Next = []).
playout(Plies) :-
    (setof(F, g_init(F), Facts) -> true ; Facts = []),
    set_state(Facts), reset_tables, play(0, Plies).
play(N, N) :- g_terminal, !, forall(g_role(R), (g_goal(R, _) -> true ; true)).
play(N, Plies) :-
    retractall(g_does(_, _)),
    findall(R-M, (g_role(R), setof(L, g_legal(R, L), Ls), random_member(M, Ls)), Moves),
    forall(member(R-M, Moves), assertz(g_does(R, M))),
    reset_tables, next_state(Next), set_state(Next), reset_tables,
    N1 is N + 1, !, play(N1, Plies).
bench(Seconds) :-
    statistics(cputime, T0), T1 is T0 + Seconds, run(T1, 0, 0, Playouts, Plies),
    statistics(cputime, T2), T is T2 - T0, format('~w ~w ~w~n', [Playouts, Plies, T]).
run(T1, P, L, P, L) :- statistics(cputime, T), T >= T1, !.
run(T1, P0, L0, P, L) :- playout(N), P1 is P0 + 1, L1 is L0 + N, run(T1, P1, L1, P, L).
";

/// The rules as a Prolog program.
fn translate(rules: &Rules) -> String {
    let dependencies = Dependencies::of(rules);
    let mut out = String::from(":- style_check(-discontiguous). :- style_check(-singleton).\n");
    out.push_str(":- dynamic g_true/1, g_does/2, tabled/0.\n");
    let mut heads = vec![false; rules.relations.len()];
    for rule in &rules.rules {
        heads[rule.head.relation.0 as usize] = true;
    }
    for (i, relation) in rules.relations.iter().enumerate() {
        let id = ludens_gdl::rules::RelationId(i as u32);
        let name = relation_name(rules, relation.name);
        if dependencies.is_recursive(id) {
            let _ = writeln!(out, ":- table {name}/{}.\ntabled.", relation.arity);
        }
        if !heads[i] && id != rules.keywords.truth && id != rules.keywords.does {
            let _ = writeln!(out, ":- dynamic {name}/{}.", relation.arity);
        }
    }
    for rule in &rules.rules {
        write_rule(rules, rule, &mut out);
    }
    out + DRIVER
}

fn relation_name(rules: &Rules, name: Symbol) -> String {
    format!("'g_{}'", rules.symbols.text(name).replace('\\', "\\\\").replace('\'', "\\'"))
}

fn write_rule(rules: &Rules, rule: &Rule, out: &mut String) {
    write_atom(rules, &rule.head, out);
    for (i, literal) in arranged(rule).into_iter().enumerate() {
        out.push_str(if i == 0 { " :- " } else { ", " });
        match literal {
            Literal::Positive(atom) => write_atom(rules, atom, out),
            Literal::Negative(atom) => {
                out.push_str("\\+ ");
                write_atom(rules, atom, out);
            }
            Literal::Distinct(left, right) => {
                write_term(rules, left, out);
                out.push_str(" \\== ");
                write_term(rules, right, out);
            }
        }
    }
    out.push_str(".\n");
}

/// The body in the order of the text, with each test right behind the literal that binds the
/// last of its variables.
fn arranged(rule: &Rule) -> Vec<&Literal> {
    let mut bound = vec![false; rule.variables.len()];
    let mut order = Vec::new();
    let mut waiting: Vec<&Literal> =
        rule.body.iter().filter(|l| !matches!(l, Literal::Positive(_))).collect();
    let mut release = |bound: &[bool], order: &mut Vec<_>| {
        waiting.retain(|test| {
            let mut ready = true;
            let mut visit = |v: ludens_gdl::rules::Variable| ready &= bound[v.0 as usize];
            match test {
                Literal::Positive(atom) | Literal::Negative(atom) => atom.variables(&mut visit),
                Literal::Distinct(left, right) => {
                    left.variables(&mut visit);
                    right.variables(&mut visit);
                }
            }
            if ready {
                order.push(*test);
            }
            !ready
        });
    };
    release(&bound, &mut order);
    for literal in &rule.body {
        if let Literal::Positive(atom) = literal {
            order.push(literal);
            atom.variables(&mut |v| bound[v.0 as usize] = true);
            release(&bound, &mut order);
        }
    }
    order
}

fn write_atom(rules: &Rules, atom: &Atom, out: &mut String) {
    out.push_str(&relation_name(rules, rules.relations[atom.relation.0 as usize].name));
    write_args(rules, &atom.args, out);
}

fn write_args(rules: &Rules, args: &[Term], out: &mut String) {
    for (i, arg) in args.iter().enumerate() {
        out.push(if i == 0 { '(' } else { ',' });
        write_term(rules, arg, out);
    }
    if !args.is_empty() {
        out.push(')');
    }
}

fn write_term(rules: &Rules, term: &Term, out: &mut String) {
    let quoted = |name: Symbol| {
        let text = rules.symbols.text(name);
        match text.parse::<i64>() {
            Ok(number) => number.to_string(),
            Err(_) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        }
    };
    match term {
        Term::Variable(v) => drop(write!(out, "V{}", v.0)),
        Term::Constant(name) => out.push_str(&quoted(*name)),
        Term::Function(name, args) => {
            let _ = write!(out, "'{}'", rules.symbols.text(*name).replace('\'', "\\'"));
            write_args(rules, args, out);
        }
    }
}
