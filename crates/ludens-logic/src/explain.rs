//! Plans as text: the `plans` stage of `ludens dump`.

use std::fmt::Write as _;

use crate::plan::{Fields, Pattern, Plan, Program, Source, Step};
use crate::store::{Functor, Store};

/// Writes all plans of a program.
pub(crate) fn explain(program: &Program, names: &[String], store: &Store) -> String {
    let writer = Writer { names, store };
    let mut out = String::new();
    for (call, name) in program.calls.iter().zip(names) {
        let _ = writeln!(out, "{name}  ({:?}, {} unknown)", call.lifetime, call.n_outs);
        for plan in &call.plans {
            writer.plan(plan, &mut out);
        }
    }
    out
}

struct Writer<'a> {
    names: &'a [String],
    store: &'a Store,
}

impl Writer<'_> {
    fn plan(&self, plan: &Plan, out: &mut String) {
        let _ = writeln!(out, "  rule {} -> {}", self.fields(&plan.ins), self.sources(&plan.outs));
        for (register, value) in &plan.constants {
            let _ = writeln!(out, "    r{register} is {}", self.store.text(*value));
        }
        for (i, step) in plan.steps.iter().enumerate() {
            let once = if i >= plan.cut { " once" } else { "" };
            let _ = writeln!(out, "    {}{once}", self.step(step));
        }
    }

    fn step(&self, step: &Step) -> String {
        let sign = |positive: &bool| if *positive { "" } else { "not " };
        match step {
            Step::Fail => "fail".into(),
            Step::Pass => "pass".into(),
            Step::Distinct(left, right) => {
                format!("distinct {} {}", self.source(left), self.source(right))
            }
            Step::HasTruth { term, positive } => {
                format!("{}true {}", sign(positive), self.source(term))
            }
            Step::EachTruth(scan) => {
                let index = scan
                    .index
                    .as_ref()
                    .map_or("all".into(), |(_, key)| format!("by {}", self.sources(key)));
                format!(
                    "each true {} {} {index}",
                    self.functor(scan.functor),
                    self.fields(&scan.pattern)
                )
            }
            Step::AnyTruth(fields) => format!("each true {}", self.fields(fields)),
            Step::Does(fields) => format!("each does {}", self.fields(fields)),
            Step::NotDoes { role, action } => {
                format!("not does {} {}", self.source(role), self.source(action))
            }
            Step::HasFact { relation, key, positive, .. } => {
                format!("{}fact #{relation} {}", sign(positive), self.sources(key))
            }
            Step::EachFact { relation, key, outs, .. } => {
                format!("each fact #{relation} by {} -> {}", self.sources(key), self.fields(outs))
            }
            Step::OneFact { relation, key, outs, .. } => {
                format!("the fact #{relation} by {} -> {}", self.sources(key), self.fields(outs))
            }
            Step::Call { call, key, outs } => {
                format!(
                    "each {} {} -> {}",
                    self.names[call.0 as usize],
                    self.sources(key),
                    self.fields(outs)
                )
            }
            Step::NotCall { call, key } => {
                format!("not {} {}", self.names[call.0 as usize], self.sources(key))
            }
            Step::Check { call, key, positive } => {
                format!(
                    "{}check {} {}",
                    sign(positive),
                    self.names[call.0 as usize],
                    self.sources(key)
                )
            }
        }
    }

    fn functor(&self, functor: Functor) -> String {
        self.store.functor_text(functor)
    }

    fn source(&self, source: &Source) -> String {
        match source {
            Source::Register(register) => format!("r{register}"),
            Source::Build(functor, args) => {
                format!("({} {})", self.functor(*functor), self.sources(args))
            }
        }
    }

    fn sources(&self, sources: &[Source]) -> String {
        sources.iter().map(|source| self.source(source)).collect::<Vec<_>>().join(" ")
    }

    fn fields(&self, fields: &Fields) -> String {
        let all = fields.patterns();
        all.iter().map(|(c, p)| format!("{c}:{}", self.pattern(p))).collect::<Vec<_>>().join(" ")
    }

    fn pattern(&self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Skip => "_".into(),
            Pattern::Bind(register) => format!("r{register}="),
            Pattern::Register(register) => format!("r{register}"),
            Pattern::Apply(functor, patterns) => {
                format!("({} {})", self.functor(*functor), self.patterns(patterns))
            }
        }
    }

    fn patterns(&self, patterns: &[Pattern]) -> String {
        patterns.iter().map(|pattern| self.pattern(pattern)).collect::<Vec<_>>().join(" ")
    }
}
