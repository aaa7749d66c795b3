//! The text that a question is about. JavaScript writes it into memory of the core, where it is read: nothing
//! else is as fast.

use std::cell::RefCell;
use std::str;

thread_local! {
    static ROOM: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for so many bytes and says where it is. The room that was there before is given back.
pub(crate) fn room(length: usize) -> *const u8 {
    ROOM.with_borrow_mut(|room| {
        *room = Vec::new();
        room.resize(length, 0);
        room.as_ptr()
    })
}

/// Works with the text in the first so many bytes of the room.
pub(crate) fn with_text<T>(length: usize, work: impl FnOnce(&str) -> T) -> T {
    ROOM.with_borrow(|room| {
        let bytes = room.get(..length).unwrap_or(room);
        match str::from_utf8(bytes) {
            Ok(text) => work(text),
            Err(_) => work(&String::from_utf8_lossy(bytes)),
        }
    })
}
