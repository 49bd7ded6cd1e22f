//! The reference page of agents, generated from the table.

use std::fmt::Write;

use super::parameter::PartParameter;
use super::part::{Named, PartKind};
use super::parts::SHARED;

const HEAD: &str = "\
# Agents

*This page is generated from the table of agents (`crates/ludens-catalog/src/agent/parts`) by \
`cargo xtask bless`; `ludens agents` prints the same.*

An agent is one text, with the same meaning in all commands and files:

- a tree policy alone, such as `uct` or `rave(r=130)`: its playouts are uniformly random;
- a tree policy with playout policies, such as `uct(c=0.4) + ppaf(alpha=0.32, memorize)`;
- several of them, such as `uct + lgrf + mast`: they are tried in this order until one chooses a move;
- any of these with an evaluator, such as `uct + mast + heuristic(replace=0.5)`;
- a playout policy alone, such as `ppafm`, which is `uct + ppafm`;
- a whole search, such as `flat`, which takes no policies.

Parameters that are not given have their defaults. A flag is set by its name alone, or by \
`name=true` and `name=false`. Texts with the same meaning are written in the same form in all results.
";

const POLICY_FILES: &str = "\
## Learnt policies

`initial=FILE` begins a match with weights learnt beforehand by `ludens learn`:

```
ludens learn breakthrough --reasoner native --agent 'uct + ppaf' --playouts 100000 --out breakthrough.json
ludens match breakthrough --reasoner native --agents 'ppafm(initial=breakthrough.json)' uct --iterations 10000
```

It learns weights for each position with fewer than two moves. Move codes depend on the reasoner, so a policy is \
valid only with the reasoner it was learnt with. The file is JSON:

```json
{\"schema\": \"ludens/policy/1\", \"game\": \"breakthrough\", \"features\": true,
 \"positions\": {\"(cellholds 1 1 white) (cellholds 1 2 white)\": [[[17, 0.25], [18, -1.5]], [[3, 0.125]]]}}
```

A position is its facts, sorted and joined by blanks; its value is, for each role, a list of move codes \
with their weights. Positions that are not listed begin with equal weights. `features` is \
whether the codes include features, and must agree with the agent.
";

/// The reference page of agents, as Markdown.
pub fn reference_page() -> String {
    let mut page = HEAD.to_owned();
    for kind in PartKind::ALL {
        let (title, intro) = section(kind);
        let _ = write!(page, "\n## {title}\n\n{intro}\n");
        if kind == PartKind::Tree {
            page += "\n";
            push_table(&mut page, SHARED);
        }
        for named in Named::all().filter(|named| named.part.kind() == kind) {
            push_part(&mut page, named);
        }
    }
    page += "\n";
    page += POLICY_FILES;
    page
}

/// Title and introduction of a section.
fn section(kind: PartKind) -> (&'static str, &'static str) {
    match kind {
        PartKind::Tree => (
            "Tree policies",
            "How moves are selected in the tree. All of them have these parameters besides their own:",
        ),
        PartKind::Playout => ("Playout policies", "How moves are chosen in playouts."),
        PartKind::Evaluator => (
            "Evaluators",
            "How leaves are evaluated, besides playouts. An evaluator is added to a tree policy, with any \
             playout policies and any number of threads.",
        ),
        PartKind::Whole => ("Whole searches", "Searches that need no policies."),
    }
}

fn push_part(page: &mut String, named: Named) {
    let _ = write!(page, "\n### `{}`\n\n{}", named.name(), named.doc());
    if !named.aliases().is_empty() {
        let aliases: Vec<_> = named.aliases().iter().map(|alias| format!("`{alias}`")).collect();
        let _ = write!(page, " Also called {}.", aliases.join(", "));
    }
    if !named.paper().is_empty() {
        let _ = write!(page, "\n({}.)", named.paper().trim_end_matches('.'));
    }
    page.push('\n');
    if named.preset.is_some() {
        let fixed: Vec<_> =
            named.fixed().iter().map(|(name, value)| format!("{name}={value}")).collect();
        let _ = write!(
            page,
            "\nThe same as `{}({})`, with the same other parameters.\n",
            named.part.name,
            fixed.join(", ")
        );
    } else if !named.part.own.is_empty() {
        page.push('\n');
        push_table(page, named.part.own);
    }
}

fn push_table(page: &mut String, parameters: &[PartParameter]) {
    *page += "| parameter | default | can be | meaning |\n|---|---|---|---|\n";
    for p in parameters {
        let _ = writeln!(page, "| `{}` | `{}` | {} | {} |", p.name, p.default, p.expected(), p.doc);
    }
}
