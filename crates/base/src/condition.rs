//! In which way games end.

use std::fmt;

crate::kinds! {
    /// In which way a game ended, on the open board or in a finite game.
    ///
    /// [`Condition::name`] is the name in output, such as `checkmate`; of a way to win, its name among the
    /// win conditions. [`Condition::title`] is what people call it; the `Termination` tag has these words. A
    /// stalemate is a draw in Western chess and Makruk, and a loss in Shogi and Xiangqi. A perpetual check is
    /// lost by whoever gives it. Points decide a game of Janggi after two passes, or after one while the
    /// generals face each other; they are not counted here.
    Condition title
    AllPiecesCaptured "allpiecescaptured" "All pieces captured",
    RoyalCapture "royalcapture" "Royal capture",
    AllRoyalsCaptured "allroyalscaptured" "All royals captured",
    KingOfTheHill "koth" "King of the hill",
    ThreeCheck "threecheck" "Three-check",
    Repetition "repetition" "Threefold repetition",
    Checkmate "checkmate" "Checkmate",
    Stalemate "stalemate" "Stalemate",
    MoveRule "moverule" "Move rule",
    InsufficientMaterial "insuffmat" "Insufficient material",
    PerpetualCheck "perpetualcheck" "Perpetual check",
    Points "points" "Points",
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
