//! The tasks of lane programs.

/// The tasks that programs compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// State to `terminal` and `legal`.
    Look,
    /// State to `goals`.
    Goals,
    /// State and `does` to the next state.
    Next,
    /// State to `terminal`, and to `goals` if payoffs are computed at every step; before `Count`.
    Judge,
    /// State to `stuck`, `refuted` and the counts of the choices, and to `terminal` unless
    /// `Judge` computes it.
    Count,
    /// Random bits to drawn numbers, between `Count` and `Advance`; repeated until `open` is empty.
    Draw,
    /// State to `goals`, between `Count` and `Advance`.
    Payoffs,
    /// Drawn numbers to the next state.
    Advance,
    /// As `Count`, before `Record`.
    CountForRecord,
    /// As `Draw`, between `CountForRecord` and `Record`.
    DrawForRecord,
    /// As `Payoffs`, between `CountForRecord` and `Record`.
    PayoffsForRecord,
    /// Drawn numbers to `does` and the next state.
    Record,
}

impl Task {
    /// All tasks.
    pub const ALL: [Task; 12] = [
        Task::Look,
        Task::Goals,
        Task::Next,
        Task::Judge,
        Task::Count,
        Task::Draw,
        Task::Payoffs,
        Task::Advance,
        Task::CountForRecord,
        Task::DrawForRecord,
        Task::PayoffsForRecord,
        Task::Record,
    ];
}
