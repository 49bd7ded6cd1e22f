//! The allowed dependencies between crates. The table is the architecture: dependencies point one way.

use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::Finding;
use super::diagram::Graph;
use super::libraries::NOT_FOR_LIBRARIES;
use crate::workspace;

/// Crates of the workspace with those that they may use. Dependencies for tests are free.
const ALLOWED: &[(&str, &[&str])] = &[
    ("ludens-core", &[]),
    ("ludens-gdl", &[]),
    ("ludens-board", &["gdl"]),
    ("ludens-logic", &["core", "gdl"]),
    ("ludens-propnet", &["core", "gdl", "logic"]),
    ("ludens-games", &["core"]),
    ("ludens-search", &["core"]),
    ("ludens-testkit", &["core", "gdl"]),
    ("ludens-learn", &["core", "search"]),
    ("ludens-arena", &["core", "search"]),
    ("ludens-protocol", &["core", "gdl"]),
    (
        "ludens-catalog",
        &["core", "gdl", "board", "logic", "propnet", "games", "search", "learn", "testkit"],
    ),
    (
        "ludens-lab",
        &[
            "core", "gdl", "board", "logic", "propnet", "search", "learn", "arena", "protocol",
            "catalog",
        ],
    ),
];

/// The crate of the tasks, which is not part of the product.
const TASKS: &str = "xtask";

/// The surfaces, which may use everything but each other.
const SURFACES: &[&str] = &["ludens", "ludens-web", "ludens-py", "xtask"];

/// External crates that kernels must not use: serialisation belongs to surfaces.
const NOT_FOR_KERNELS: [&str; 5] = ["serde", "serde_json", "anyhow", "clap", "rand"];

/// The output of `cargo metadata`.
#[derive(Deserialize)]
pub struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// Absent for ordinary dependencies, `dev` for those of tests.
    kind: Option<String>,
    /// Set for crates of the workspace.
    path: Option<String>,
    /// Whether a feature enables it.
    #[serde(default)]
    optional: bool,
}

impl Metadata {
    /// Direct dependencies between the crates of the workspace, without those of tests and of tasks.
    pub fn graph(&self) -> Graph {
        let ours = |used: &&Dependency| used.kind.is_none() && used.path.is_some();
        let used = |package: &Package| {
            package.dependencies.iter().filter(ours).map(|used| used.name.clone()).collect()
        };
        let crates = self.packages.iter().filter(|package| package.name != TASKS);
        crates.map(|package| (package.name.clone(), used(package))).collect()
    }

    /// The metadata of a graph.
    #[cfg(test)]
    pub fn of_graph(graph: &Graph) -> Self {
        let dependency = |name: &String| Dependency {
            name: name.clone(),
            kind: None,
            path: Some(String::new()),
            optional: false,
        };
        let package = |(name, used): (&String, &std::collections::BTreeSet<String>)| Package {
            name: name.clone(),
            dependencies: used.iter().map(dependency).collect(),
        };
        Metadata { packages: graph.iter().map(package).collect() }
    }
}

/// Runs `cargo metadata` on the workspace.
pub fn metadata() -> Result<Metadata> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .current_dir(workspace::root())
        .output()
        .context("cargo cannot be started")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Checks every crate against the table.
pub fn check(metadata: &Metadata) -> Vec<Finding> {
    metadata.packages.iter().flat_map(check_package).collect()
}

fn check_package(package: &Package) -> Vec<Finding> {
    let name = package.name.as_str();
    let manifest = if name == "xtask" {
        "xtask/Cargo.toml".into()
    } else {
        format!("crates/{name}/Cargo.toml")
    };
    let find = |what: String, remedy: &str| Finding::new(&manifest, 0, what, remedy);
    let used = package.dependencies.iter().filter(|used| used.kind.as_deref() != Some("dev"));
    let Some((_, allowed)) = ALLOWED.iter().find(|(krate, _)| *krate == name) else {
        let known = SURFACES.contains(&name);
        let remedy = "define in xtask/src/tidy/dependencies.rs what it may use";
        let mut findings: Vec<Finding> = used
            .filter_map(|used| check_surface(name, used).map(|(what, remedy)| find(what, remedy)))
            .collect();
        if !known {
            findings
                .push(find(format!("the crate {name} has no place in the architecture"), remedy));
        }
        return findings;
    };
    used.filter_map(|used| {
        check_dependency(name, allowed, used).map(|(what, remedy)| find(what, remedy))
    })
    .collect()
}

/// The violation of a dependency of a surface, and the remedy.
fn check_surface(name: &str, used: &Dependency) -> Option<(String, &'static str)> {
    if used.path.is_some() && used.name != name && SURFACES.contains(&used.name.as_str()) {
        let message = format!("a surface uses the surface {}", used.name);
        return Some((message, "move the shared code into a crate below"));
    }
    let for_command = NOT_FOR_LIBRARIES.contains(&used.name.as_str()) && !used.optional;
    (name != TASKS && for_command).then(|| {
        let message = format!("the library of {name} uses {}", used.name);
        (message, "make it optional, for the feature `cli`")
    })
}

/// The violation of a dependency of a crate in the table, and the remedy.
fn check_dependency(
    name: &str,
    allowed: &[&str],
    used: &Dependency,
) -> Option<(String, &'static str)> {
    if used.path.is_some() {
        let short = used.name.strip_prefix("ludens-").unwrap_or(&used.name);
        let message = format!("{name} must not use {}", used.name);
        return (!allowed.contains(&short))
            .then_some((message, "invert the dependency, or pass the value as a parameter"));
    }
    if name == "ludens-core" {
        return Some((
            format!("the core uses {}", used.name),
            "the core has no dependencies: implement it there",
        ));
    }
    if NOT_FOR_LIBRARIES.contains(&used.name.as_str()) {
        let message = format!("the library {name} uses {}", used.name);
        return Some((message, "leave this to the command line"));
    }
    let kernel = super::purity::is_pure(name);
    (kernel && NOT_FOR_KERNELS.contains(&used.name.as_str())).then(|| {
        (format!("{name} only computes, and uses {}", used.name), "leave this to the surfaces")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, dependencies: &[(&str, Option<&str>, bool)]) -> Vec<String> {
        let dependencies = dependencies
            .iter()
            .map(|&(name, kind, ours)| Dependency {
                name: name.into(),
                kind: kind.map(Into::into),
                path: ours.then(String::new),
                optional: false,
            })
            .collect();
        let packages = vec![Package { name: name.into(), dependencies }];
        check(&Metadata { packages }).into_iter().map(|finding| finding.what).collect()
    }

    #[test]
    fn wrong_directions_are_found() {
        let of = |name, used| found(name, &[(used, None, true)]);
        assert_eq!(of("ludens-search", "ludens-gdl"), ["ludens-search must not use ludens-gdl"]);
        assert_eq!(of("ludens-gdl", "ludens-search"), ["ludens-gdl must not use ludens-search"]);
        assert_eq!(of("ludens-web", "ludens"), ["a surface uses the surface ludens"]);
        assert!(of("ludens-logic", "ludens-gdl").is_empty());
        assert!(found("ludens-search", &[("ludens-logic", Some("dev"), true)]).is_empty());
    }

    #[test]
    fn misplaced_external_crates_are_found() {
        assert_eq!(found("ludens-core", &[("smallvec", None, false)]), ["the core uses smallvec"]);
        assert_eq!(found("ludens-gdl", &[("serde", None, false)]).len(), 1);
        assert!(found("ludens", &[("serde", None, false)]).is_empty());
        assert_eq!(found("ludens-new", &[]).len(), 1);
        assert_eq!(
            found("ludens-lab", &[("clap", None, false)]),
            ["the library ludens-lab uses clap"]
        );
        assert_eq!(
            found("ludens", &[("ctrlc", None, false)]),
            ["the library of ludens uses ctrlc"]
        );
        assert!(found("xtask", &[("clap", None, false)]).is_empty());
    }
}
