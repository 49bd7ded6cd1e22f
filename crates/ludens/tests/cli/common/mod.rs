//! Runs the command and checks its results.
#![allow(dead_code, missing_docs, reason = "each test uses its own part")]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// The result of a run.
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Run {
    /// Both streams and the exit code, for golden texts.
    pub fn all(&self) -> String {
        format!("{}--- stderr\n{}--- exit code {}\n", self.out, self.err, self.code)
    }

    /// The output as JSON, one value per line.
    pub fn json(&self) -> Vec<serde_json::Value> {
        let lines = self.out.lines();
        lines.map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
    }
}

/// Runs `ludens` with arguments and an empty input.
pub fn ludens(args: &[&str]) -> Run {
    ludens_with(args, b"")
}

/// Runs `ludens` with arguments and an input.
pub fn ludens_with(args: &[&str], input: &[u8]) -> Run {
    let mut child = command(args).spawn().expect("the command starts");
    let mut stdin = child.stdin.take().expect("the input is a pipe");
    // A command that needs no input may end before it is written.
    let _ = stdin.write_all(input);
    drop(stdin);
    let Output { status, stdout, stderr } = child.wait_with_output().expect("the command ends");
    Run {
        code: status.code().expect("the command ends by itself"),
        out: String::from_utf8(stdout).expect("the output is UTF-8"),
        err: String::from_utf8(stderr).expect("the errors are UTF-8"),
    }
}

/// The command, not yet started.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludens"));
    // Tests neither use nor fill the cache of the user.
    command.env("LUDENS_CACHE", "off");
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A temporary folder with files.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file and returns its path.
    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).expect("the file is written");
        path.to_str().expect("the path is UTF-8").to_owned()
    }

    /// The text without the path of the folder, so that it is the same everywhere.
    pub fn neutral(&self, text: &str) -> String {
        let folder = self.0.path().to_str().expect("the path is UTF-8");
        text.replace(&format!("{folder}/"), "")
    }
}

/// A valid game of one move.
pub const TINY: &str = "\
(role you)
(init start)
(<= (legal you win) (true start))
(<= (legal you lose) (true start))
(<= (next (done ?m)) (does you ?m))
(<= (goal you 100) (true (done win)))
(<= (goal you 0) (true (done lose)))
(<= terminal (true (done ?m)))
";
