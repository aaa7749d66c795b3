//! Rules on small boards, and mates on boards without end.
