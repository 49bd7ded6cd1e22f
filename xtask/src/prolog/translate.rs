//! Translates rules to a plain Prolog program.

use std::fmt::Write as _;

use ludens_gdl::rules::{Atom, Literal, Rule, Rules, Term};
use ludens_gdl::{Dependencies, Symbol};

/// The driver, which is the same for every game.
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
pub fn translate(rules: &Rules) -> String {
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

/// The body in the order of the text, with each test after the literal that binds the last of its
/// variables.
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
