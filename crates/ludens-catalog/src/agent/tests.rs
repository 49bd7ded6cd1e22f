//! Parsing, printing and building agents.

use std::collections::BTreeSet;
use std::sync::Arc;

use ludens_core::{Budget, Cut, Game, Limit};
use ludens_search::{
    Flat, InitialPolicy, Minimax, Nested, NrpaOptions, PlayoutValue, Pooling, Settings, Watch,
};
use proptest::prelude::*;

use super::*;
use crate::{ReasonerKind, WithGame};

/// The canonical text of an agent, which must parse to the same agent.
fn written(text: &str) -> String {
    let agent = load_agent(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let written = agent.to_string();
    assert_eq!(load_agent(&written).unwrap(), agent, "{text}");
    written
}

fn refused(text: &str) -> String {
    let error = load_agent(text).unwrap_err();
    format!("{error}; {}", error.hint().unwrap_or_default())
}

#[test]
fn agents_are_written_without_default_parameters() {
    for (text, expected) in [
        ("uct", "uct"),
        ("uct(c=0.4, fpu=none)", "uct"),
        (" mcts ( c = 0.40 ) + uniform", "uct"),
        (
            "uct(fpu=1.1, c=1, reuse=false, solver, batch=1)",
            "uct(c=1, fpu=1.1, solver, reuse=false, batch=1)",
        ),
        ("uct(memory=4096M)", "uct(memory=4GiB)"),
        ("uct(threads=2, parallel=tree)", "uct(threads=2, parallel=tree)"),
        ("uct(cut=draw, length=none)", "uct"),
        ("rave(cut=goal, length=20) + mast", "rave(length=20, cut=goal) + mast"),
        ("uct(c=0.4) + ppaf(alpha=0.32, memorize)", "uct + ppafm"),
        ("rave(r=130) + ppr(tn=0.01, tw=0.25, p=0.8)", "rave + ppr"),
        ("uct + lgrf1 + mast(temperature=2)", "uct + lgrf + mast(temperature=2)"),
        ("ppaf", "uct + ppaf"),
        ("ppa(features=true)", "uct + ppaf"),
        ("ppa(features, memorize, k=0.5)", "uct + ppafm(k=0.5)"),
        ("ppa(memorize)", "uct + ppa(memorize)"),
        ("ppaf(memorize=false)", "uct + ppaf"),
        ("lgrf + uniform", "uct + lgrf"),
        ("grave(bias=0.00001) + nast2", "grave + nast"),
        ("nast(n=3)", "uct + nast(n=3)"),
        ("flat(c=0.7)", "flat"),
        ("random", "random"),
        ("heuristic", "heuristic"),
        ("uct + heuristic(order)", "uct + heuristic"),
        ("uct + heuristic(replace=0.5) + mast", "uct + mast + heuristic(replace=0.5)"),
        ("lgrf + heuristic(order=false)", "uct + lgrf + heuristic(order=false)"),
        ("puct(threads=2) + heuristic", "puct(threads=2) + heuristic"),
        ("guided", "guided"),
        ("uct(c=0.7) + heuristic(replace=1)", "guided(replace=1)"),
        ("guided(bias=2, open=3, threads=4)", "guided(bias=2, open=3, threads=4)"),
        ("guided(c=0.5, learning=0.25)", "uct(c=0.5) + heuristic(learning=0.25)"),
        ("guided(replace=0.5) + mast", "uct(c=0.7) + mast + heuristic(replace=0.5)"),
    ] {
        assert_eq!(written(text), expected, "{text}");
    }
    assert_eq!(AgentSpec::default().to_string(), "uct");
}

#[test]
fn threads_are_given_to_agents_that_have_them_and_chose_none() {
    for (text, expected) in [
        ("uct", "uct(threads=2, parallel=tree)"),
        ("uct + mast", "uct(threads=2, parallel=tree) + mast"),
        ("auto", "auto(threads=2)"),
        ("zero", "zero(threads=2)"),
        ("uct(threads=4)", "uct(threads=4)"),
        ("random", "random"),
        ("heuristic", "heuristic"),
    ] {
        assert_eq!(load_agent(text).unwrap().with_threads(2).to_string(), expected);
        assert_eq!(load_agent(text).unwrap().with_threads(1).to_string(), text);
    }
}

#[test]
fn unknown_names_are_answered_with_a_hint() {
    assert_eq!(refused("falt"), "no agent is called `falt`; did you mean `flat`?");
    assert_eq!(refused("UCT"), "no agent is called `UCT`; did you mean `uct`?");
    assert_eq!(refused("uct + ppfam"), "no agent is called `ppfam`; did you mean `ppafm`?");
    assert_eq!(
        refused("uct + hueristic"),
        "no agent is called `hueristic`; did you mean `heuristic`?"
    );
    assert_eq!(refused("puct + netz(file=x)"), "no agent is called `netz`; did you mean `net`?");
    let unknown = refused("stockfish");
    assert!(
        unknown
            .starts_with("no agent is called `stockfish`; `ludens agents` lists all agents: uct, ")
    );
    assert_eq!(
        refused("uct(c=1"),
        "cannot read `uct(c=1`: expected `,` or `)` at character 8; \
         write `name`, or `name(parameter=value)`, such as `uct(c=0.4) + mast`"
    );
    assert!(refused("").contains("expected a name at character 1"));
    assert!(refused("uct + ").contains("expected a name"));
}

#[test]
fn unknown_parameters_are_answered_with_a_hint() {
    assert_eq!(
        refused("mast(temprature=1)"),
        "`mast` has no parameter `temprature`; did you mean `temperature`? `mast` has the parameters: \
         temperature (temperature of the softmax over averages: small is greedy, large is uniform), \
         keep (fraction of the statistics that is kept after each move of the match)"
    );
    assert_eq!(refused("random(c=1)"), "`random` has no parameter `c`; `random` has no parameters");
    assert!(refused("ppaf(features)").starts_with("`ppaf` has no parameter `features`; "));
    assert_eq!(
        refused("uct(c=1, c=2)"),
        "`c` of `uct` is given twice; write `c` once, with the value that you want"
    );
}

#[test]
fn invalid_values_are_answered_with_a_hint() {
    for (text, expected) in [
        ("flat(c=-1)", "`c` of `flat` cannot be `-1`; `c` is a number from 0 to 1000"),
        ("uct(c)", "`c` of `uct` needs a value; `c` is a number from 0 to 1000"),
        (
            "uct(fpu=high)",
            "`fpu` of `uct` cannot be `high`; `fpu` is a number from 0 to 10, or `none`",
        ),
        ("nast(n=1)", "`n` of `nast` cannot be `1`; `n` is a whole number from 2 to 9"),
        (
            "uct(batch=0)",
            "`batch` of `uct` cannot be `0`; `batch` is a whole number from 1 to 65536, or `auto`",
        ),
        (
            "uct(solver=1)",
            "`solver` of `uct` cannot be `1`; `solver` is `true` or `false`; the name alone means `true`",
        ),
        (
            "uct(parallel=leaf)",
            "`parallel` of `uct` cannot be `leaf`; `parallel` is `root` or `tree`",
        ),
        (
            "uct(length=0)",
            "`length` of `uct` cannot be `0`; `length` is a whole number from 1 to 100000, or `none`",
        ),
        ("uct(cut=loss)", "`cut` of `uct` cannot be `loss`; `cut` is `draw` or `goal`"),
        (
            "uct(memory=2T)",
            "`memory` of `uct` cannot be `2T`; `memory` is a size such as `512MiB` or `4GiB`, 1MiB or more",
        ),
        (
            "ppafm(initial)",
            "`initial` of `ppafm` needs a value; `initial` is the path of a file with a learnt policy, or `none`",
        ),
    ] {
        assert_eq!(refused(text), expected);
    }
}

#[test]
fn incompatible_parts_are_refused() {
    for (text, expected) in [
        (
            "flat + mast",
            "nothing can be added to `flat`, such as `mast`; `flat` is a whole search: write it alone",
        ),
        (
            "uct(c=1) + rave",
            "`rave` cannot be added to `uct(c=1)`: it is a tree policy, not a playout policy; \
             an agent has one tree policy, which comes first: `rave + …`",
        ),
        (
            "ppaf + uct",
            "`uct` cannot be added to `ppaf`: it is a tree policy, not a playout policy; \
             an agent has one tree policy, which comes first: `uct + …`",
        ),
        (
            "uct + flat",
            "`flat` cannot be added to `uct`: it is a whole search, not a playout policy; write `flat` alone",
        ),
        (
            "uct + mast + lgrf",
            "`lgrf` would never be used: `mast` before it always chooses a move; policies are \
             tried in order; leave `lgrf` out, or write it before `mast`",
        ),
        (
            "uct + uniform + lgrf",
            "`lgrf` would never be used: `uniform` before it always chooses a move; policies are \
             tried in order; leave `lgrf` out, or write it before `uniform`",
        ),
        (
            "guided + heuristic(order=false)",
            "`heuristic(order=false)` cannot be added: `heuristic` already evaluates leaves; \
             an agent has one evaluator",
        ),
        (
            "rave + heuristic(bias=2)",
            "`bias` of `heuristic` cannot be added to `rave`; \
             progressive bias modifies `uct`: write `uct + heuristic(bias=2)`",
        ),
        (
            "flat + heuristic",
            "nothing can be added to `flat`, such as `heuristic`; `flat` is a whole search: write it alone",
        ),
    ] {
        assert_eq!(refused(text), expected);
    }
}

#[test]
fn learnt_policies_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learnt.json");
    PolicyFile::new("nim", true, InitialPolicy::default()).write(&path).unwrap();
    let path = path.to_str().unwrap();
    let text = format!("ppafm(initial={path})");
    assert_eq!(written(&text), format!("uct + {text}"));
    assert_ne!(load_agent(&text).unwrap(), load_agent("ppafm").unwrap());
    assert_eq!(
        refused(&format!("ppa(initial={path})")),
        format!(
            "`initial` of `ppa` cannot be `{path}`; `initial` is the path of a file with a learnt \
             policy, or `none`, and this one was learnt with features"
        )
    );
    assert!(refused("ppa(initial=nowhere.json)").starts_with("cannot read nowhere.json: "));
}

#[test]
fn the_table_is_consistent() {
    let mut names = BTreeSet::new();
    for named in Named::all() {
        // An evaluator follows a `+`, where no whole search is allowed.
        let added = named.part.kind() == PartKind::Evaluator;
        let find = if added { Named::find_added } else { Named::find };
        for name in [named.name()].iter().chain(named.aliases()) {
            assert!(names.insert((added, *name)), "`{name}` is ambiguous");
            assert!(find(name).is_some_and(|found| found.name() == named.name()));
        }
        assert!(named.doc().ends_with('.') && !named.doc().contains('\n'), "{}", named.name());
        for example in named.examples() {
            assert!(load_agent(&example).is_ok(), "{example}");
        }
        let mut parameters = BTreeSet::new();
        for p in named.part.parameters() {
            assert!(parameters.insert(p.name), "`{}` of `{}` twice", p.name, named.name());
            assert!(p.read(Some(p.default)).is_some(), "`{}` of `{}`", p.name, named.name());
            assert!(!p.doc.is_empty() && !p.doc.ends_with('.'));
        }
        for (name, _) in named.fixed() {
            assert!(parameters.contains(name), "`{name}` of `{}`", named.name());
        }
    }
}

#[test]
fn documented_defaults_are_the_defaults() {
    for named in Named::all() {
        let given: Vec<_> =
            named.parameters().map(|p| format!("{}={}", p.name, p.default)).collect();
        let full = format!("{}({})", named.shortest(), given.join(", "));
        assert_eq!(load_agent(&full).unwrap(), load_agent(&named.shortest()).unwrap(), "{full}");
    }
}

#[test]
fn defaults_are_those_of_the_searches() {
    let flat = load_agent("flat").unwrap();
    assert!((flat.first.number("c") - Flat::<Tiny>::EXPLORATION).abs() < f64::EPSILON);
    assert_eq!(AgentSpec::default().settings(), Settings::default());
    let whole = |name, parameter| load_agent(name).unwrap().first.whole(parameter);
    assert_eq!(whole("minimax", "memory"), Minimax::<Tiny>::TABLE_BYTES as u64);
    assert_eq!(whole("maxn", "playouts"), PlayoutValue::<Tiny>::PLAYOUTS);
    assert_eq!(whole("nested", "level"), u64::from(Nested::<Tiny>::LEVEL));
    let nrpa = load_agent("nrpa").unwrap().first;
    assert_eq!(super::whole::nrpa_options(&nrpa), NrpaOptions::PAPER);
    let four = load_agent("uct(threads=4)").unwrap().settings();
    assert_eq!(four.max_bytes, Settings::default().max_bytes / 4, "all threads together");
}

#[test]
fn playouts_have_the_requested_limit() {
    let limit = |text| load_agent(text).unwrap().settings().limit;
    assert_eq!(limit("uct"), Limit::default());
    assert_eq!(limit("uct(cut=goal)"), Limit::default(), "without a length nothing is cut off");
    assert_eq!(limit("rave(length=7) + mast"), Limit { plies: 7, cut: Cut::Draw });
    assert_eq!(limit("uct(length=100000, cut=goal)"), Limit { plies: 100_000, cut: Cut::Goal });
}

/// Any game type, for constants that do not depend on it.
type Tiny = ludens_games::Duel<ludens_games::PieceRace>;

/// Lets an agent choose moves twice in a game.
struct Thinking<'a>(&'a AgentSpec);

impl WithGame for Thinking<'_> {
    type Out = Vec<ludens_search::Report>;

    fn call<G: Game>(self, game: Arc<G>) -> Self::Out {
        let mut agent = self.0.build(Arc::clone(&game), 7);
        let budget = Budget::unlimited().with_iterations(60);
        let initial = game.initial();
        let n_pooled = self.0.build_pooled(Arc::clone(&game), 7).searchers().len();
        assert_eq!(agent.searchers().len(), n_pooled);
        let first = agent.think(&initial, &budget, &mut Watch::none());
        agent.begin(7);
        vec![first, agent.think(&initial, &budget, &mut Watch::none())]
    }
}

#[test]
fn agents_have_limits_of_their_own() {
    struct Iterations(AgentSpec, u64);
    impl WithGame for Iterations {
        type Out = u64;

        fn call<G: Game>(self, game: Arc<G>) -> u64 {
            let budget = Budget::unlimited().with_iterations(self.1);
            let mut agent = self.0.build_for(Arc::clone(&game), 1);
            agent.think(&game.initial(), &budget, &mut Watch::none()).iterations
        }
    }
    let unlimited = Budget::unlimited();
    let game = crate::load_game("connectfour", ReasonerKind::Mixed, &unlimited).unwrap();
    for (text, limit, expected) in [
        ("uct(iterations=50)", 1000, 50),
        ("uct(iterations=50, batch=1)", 20, 20),
        ("uct(iterations=51, threads=2)", 1000, 51),
        ("puct(iterations=51, threads=2, parallel=tree)", 1000, 51),
    ] {
        let spec = load_agent(text).unwrap();
        assert_eq!(game.game.with(Iterations(spec, limit)), expected, "{text}");
    }
}

/// A pool evaluates leaves in one game with playouts: other games and evaluators do not go together.
#[test]
fn only_searches_of_the_same_game_with_playouts_are_pooled() {
    struct IsPooled(AgentSpec);
    impl WithGame for IsPooled {
        type Out = bool;

        fn call<G: Game>(self, game: Arc<G>) -> bool {
            let mut agent = self.0.build_pooled(game, 1);
            Pooling::of_agent(&mut *agent) != Pooling::Alone
        }
    }
    let unlimited = Budget::unlimited();
    let game = crate::load_game("connectfour", ReasonerKind::Mixed, &unlimited).unwrap();
    for (text, expected) in [
        ("uct(solver)", true),
        ("uct(solver, batch=1)", true),
        ("uct(solver, batch=64)", false),
        ("uct(solver, decisive, batch=1)", false),
        ("uct(solver, endgame, batch=1)", false),
        ("uct(batch=1, threads=2)", false),
    ] {
        let spec = load_agent(text).unwrap();
        assert_eq!(game.game.with(IsPooled(spec)), expected, "{text}");
    }
}

#[test]
fn every_combination_is_reproducible() {
    let text = "(role a) (role b) (init s) (m 1) (m 2) (m 3) (<= (legal ?r ?m) (role ?r) (m ?m))
        (<= (next (did ?r ?m)) (does ?r ?m)) (<= terminal (true (did a ?m)))
        (<= (goal a 100) (true (did a ?m)) (true (did b ?m))) (<= (goal b 50) (true (did b ?m)))";
    let rules = ludens_gdl::load(text).0.unwrap();
    let game = ReasonerKind::Scalar.load(&rules, &Budget::unlimited()).unwrap();
    let names = |kind| Named::all().filter(move |n| n.part.kind() == kind).map(|n| n.name());
    let trees = names(PartKind::Tree).flat_map(|tree| {
        names(PartKind::Playout).map(move |playout| format!("{tree}(solver, batch=2) + {playout}"))
    });
    let whole = names(PartKind::Whole).map(str::to_owned);
    for text in trees.chain(whole).chain(["uct(threads=2)".to_owned()]) {
        let reports = game.with(Thinking(&load_agent(&text).unwrap()));
        assert_eq!(reports[0], reports[1], "{text}");
        assert!(reports[0].moves.iter().all(|moves| moves.len() == 3), "{text}");
    }
}

#[test]
fn evaluators_work_with_every_playout_policy_and_any_number_of_threads() {
    let text = include_str!("../../../../games/tictactoe.kif");
    let rules = ludens_gdl::load(text).0.unwrap();
    let game = ReasonerKind::Mixed.load(&rules, &Budget::unlimited()).unwrap();
    let playouts = Named::all().filter(|named| named.part.kind() == PartKind::Playout);
    for (i, playout) in playouts.map(|named| named.name()).enumerate() {
        let (first, part) = (["uct", "puct", "grave"][i % 3], "heuristic(open=4, replace=0.5)");
        for threads in [1, 2, 3] {
            let text = format!("{first}(threads={threads}) + {playout} + {part}");
            let reports = game.with(Thinking(&load_agent(&text).unwrap()));
            assert_eq!(reports[0], reports[1], "{text}: the same seed");
            assert_eq!(reports[0].iterations, 30, "{text}: half is spent on learning");
        }
        let text = format!("guided(threads=2, parallel=tree, replace=0.5, bias=1) + {playout}");
        let reports = game.with(Thinking(&load_agent(&text).unwrap()));
        assert!(reports.iter().all(|report| report.iterations == 30), "{text}");
    }
}

#[test]
fn the_reference_page_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/agents.md");
    let page = std::fs::read_to_string(path).unwrap_or_default();
    assert!(page == reference_page(), "`cargo xtask bless` rewrites docs/agents.md");
}

#[test]
fn agents_with_a_network_file_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let load = |name: &str| {
        crate::load_game(name, ReasonerKind::Mixed, &ludens_core::Budget::unlimited()).unwrap().game
    };
    let (tictactoe, nim) = (load("tictactoe"), load("nim"));
    let learner = crate::new_learner(&tictactoe, ludens_learn::Learning::default()).unwrap();
    let network = ludens_learn::NetworkFile::of("tictactoe", "untrained", &*learner);
    network.write(std::path::Path::new(&path("n"))).unwrap();
    for text in ["zero(file=@)", "nn(file=@)", "puct(c=2) + net(file=@)"] {
        let text = text.replace('@', &path("n"));
        let agent = load_agent(&text).unwrap();
        assert_eq!(agent.to_string(), text);
        agent.check_game(&tictactoe).unwrap();
        let error = agent.check_game(&nim).unwrap_err();
        assert!(error.to_string().contains("does not fit this game"), "{error}");
        assert!(error.hint().unwrap().contains("trained for tictactoe"));
    }
    std::fs::write(path("damaged"), "x").unwrap();
    let refused = load_agent(&format!("zero(file={})", path("damaged"))).unwrap_err().to_string();
    assert!(refused.contains("damaged"), "{refused}");
    assert!(refused.contains(&path("damaged")), "{refused}");
    assert!(load_agent("zero(file=/no/such/file)").is_err());
    let error = load_agent("puct + mast + net").unwrap_err();
    assert!(error.hint().unwrap().contains("playout"), "{error}");
}

proptest! {
    #[test]
    fn any_text_is_parsed_or_refused(text in "\\PC{0,40}") {
        let _ = load_agent(&text).map_err(|error| (error.to_string(), error.hint()));
    }

    #[test]
    fn nearly_valid_texts_round_trip(text in nearly_valid()) {
        match load_agent(&text) {
            Ok(agent) => prop_assert_eq!(load_agent(&agent.to_string()).unwrap(), agent),
            Err(error) => prop_assert!(error.hint().is_some(), "{}: {}", text, error),
        }
    }
}

/// Names and parameters of the table with values that may be invalid.
fn nearly_valid() -> impl Strategy<Value = String> {
    let values =
        ["0", "-0", "1", "2.5", "1e-9", "none", "auto", "true", "false", "3GiB", "tree", "x"];
    let names: Vec<_> = Named::all().map(|named| named.name()).collect();
    let part = prop::sample::select(names).prop_flat_map(move |name| {
        let named = Named::find(name).or_else(|| Named::find_added(name));
        let named = named.expect("it is in the table");
        let is_file = |name: &str| ["initial", "file"].contains(&name);
        let parameters: Vec<_> =
            named.parameters().map(|p| p.name).filter(|name| !is_file(name)).collect();
        let parameters = if parameters.is_empty() { vec!["x"] } else { parameters };
        let pair = (prop::sample::select(parameters), prop::sample::select(values.to_vec()));
        prop::collection::vec(pair, 0..4).prop_map(move |pairs| {
            let pairs: Vec<_> =
                pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
            format!("{name}({})", pairs.join(", "))
        })
    });
    prop::collection::vec(part, 1..3).prop_map(|parts| parts.join(" + "))
}
