//! § 6 of the API: databases of SQLite.

use crate::wasm::declarations::declared;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{Problems, logged, set, strings};
use crate::wasm::limits;
use crate::wasm::limits::bytes;
use crate::wasm::options::{SQLITE, log_unknown};
use apex_parts_model::{Error, Key, Report, View, shorten};
use apex_parts_sqlite::{SqliteDatabase, SqliteRows, SqliteSource, SqliteValue};
use js_sys::{Array, Function, Object, Reflect, Uint8Array};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = declared(include_str!("../types/sqlite.d.ts"));

#[wasm_bindgen(module = "/src/wasm/api/sqlite.js")]
extern "C" {
    #[wasm_bindgen(js_name = rowsOf)]
    fn rows_of(walk: JsValue, names: JsValue) -> JsValue;
}

fn refused(rule: &str, message: impl Into<String>) -> JsValue {
    logged(&Error::transcript(rule, message, 0))
}

/// A file that the host reads.
struct HostFile {
    object: JsValue,
    read: Function,
    size: u64,
    has_failed: Rc<Cell<bool>>,
}

impl SqliteSource for HostFile {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&mut self, offset: u64, length: usize) -> Result<Vec<u8>, String> {
        #[allow(clippy::cast_precision_loss)] // no file has 2^53 bytes
        let (from, count) = (JsValue::from(offset as f64), JsValue::from(length as f64));
        self.has_failed.set(true);
        let given = self.read.call2(&self.object, &from, &count).map_err(|thrown| {
            let _scope = Scope::new();
            let message = Js::hold(&thrown).get(Key::Message);
            message.text().map_or_else(|| "`read` threw".to_owned(), |text| text.into_owned())
        })?;
        let given = bytes(&given).ok_or("`read` did not return a Uint8Array")?;
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        let given = if given.length() > length { given.subarray(0, length) } else { given };
        let read = limits::bytes_of(&given);
        self.has_failed.set(read.is_err());
        read.map_err(|too_large| format!("{} (limit)", too_large.message()))
    }
}

/// A file: bytes, or an object with `size` and `read`, which notes whether it failed.
fn source_of(
    value: &JsValue,
    what: &str,
    has_failed: &Rc<Cell<bool>>,
) -> Result<Box<dyn SqliteSource>, JsValue> {
    if let Some(view) = bytes(value) {
        let bytes = limits::bytes_of(&view).map_err(|too_large| too_large.transcript())?;
        return Ok(Box::new(bytes));
    }
    let field = |name: &str| Reflect::get(value, &JsValue::from_str(name)).ok();
    let size = field("size").and_then(|size| size.as_f64());
    let read = field("read").and_then(|read| read.dyn_into::<Function>().ok());
    match (size, read) {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it saturates
        (Some(size), Some(read)) if size >= 0.0 => {
            let (size, has_failed) = (size as u64, Rc::clone(has_failed));
            Ok(Box::new(HostFile { object: value.clone(), read, size, has_failed }))
        }
        _ => Err(refused(
            "schema",
            format!("{what} must be bytes, or an object with `size` and `read(offset, length)`"),
        )),
    }
}

fn unread(why: &str) -> JsValue {
    refused("source", format!("the database could not be read: {why}"))
}

type Shared = Rc<RefCell<SqliteDatabase>>;

/// Uses a database, which the `read` of its host may be about to do already.
fn with<T>(
    shared: &Shared,
    run: impl FnOnce(&mut SqliteDatabase) -> Result<T, String>,
) -> Result<T, JsValue> {
    let Ok(mut database) = shared.try_borrow_mut() else {
        return Err(refused("schema", "this object is busy: its `read` called it"));
    };
    let result = run(&mut database);
    drop(database);
    result.map_err(|why| unread(&why))
}

/// A database of SQLite, read without SQLite: the rows of its tables, as the file and its write-ahead log have them.
/// Nothing is written or locked. Of a damaged database what can be read is read; `problems()` says what is lost.
///
/// ```js
/// const page = new Uint8Array(512); // a database without tables, of one page
/// page.set(new TextEncoder().encode("SQLite format 3"));
/// page[16] = 2; // pages of 512 bytes
/// page[100] = 13; // a page of rows, of which there are none
/// const file = SqliteFile.open(page); // or the bytes of a file
/// file.tables; // []
/// [...file.rows("sqlite_schema")]; // []
/// file.free();
/// ```
#[wasm_bindgen]
pub struct SqliteFile {
    database: Shared,
}

#[wasm_bindgen]
impl SqliteFile {
    /// Opens a database. Bytes are copied; with `read`, only the pages that are needed are read, of a log all. Throws
    /// `TranscriptError` if it is no database, is encrypted, or cannot be read, or an option is invalid.
    ///
    /// @param file - Its bytes, or how to read them.
    /// @param options - Its write-ahead log.
    /// @returns The database.
    pub fn open(
        #[wasm_bindgen(unchecked_param_type = "Uint8Array | SqliteSource")] file: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "SqliteOptions")] options: &JsValue,
    ) -> Result<SqliteFile, JsValue> {
        let scope = Scope::new();
        log_unknown(&Js::hold(options), "SqliteFile", SQLITE);
        drop(scope);
        let has_failed = Rc::default();
        let source = source_of(file, "a database", &has_failed)?;
        let log = match options.is_object() {
            true => Reflect::get(options, &JsValue::from_str("wal"))
                .map_err(|_| refused("schema", "`wal` throws when it is read"))?,
            false => JsValue::UNDEFINED,
        };
        let log = match log.is_undefined() || log.is_null() {
            true => None,
            false => Some(source_of(&log, "`wal`", &has_failed)?),
        };
        let database = SqliteDatabase::open(source, log).map_err(|why| match has_failed.get() {
            true => unread(&why),
            false => refused("format", why),
        })?;
        Ok(SqliteFile { database: Rc::new(RefCell::new(database)) })
    }

    /// Its tables, in the order of its schema. `sqlite_schema`, which has a row for each table, index and view, can be read
    /// as a table too.
    #[wasm_bindgen(getter, unchecked_return_type = "SqliteTable[]")]
    pub fn tables(&self) -> Result<JsValue, JsValue> {
        with(&self.database, |database| {
            let tables = database.tables().map(|table| {
                let object = Object::new();
                set(&object, "name", &JsValue::from_str(&table.name));
                set(&object, "columns", &strings(&table.columns));
                object
            });
            Ok(tables.collect::<Array>().into())
        })
    }

    /// The rows of a table, in the order of their numbers, each read when it is asked for. Of a table WITHOUT ROWID and of a
    /// virtual one there are none, and `problems()` says so. Throws `TranscriptError` if there is no such table; so does
    /// its `next`, if `read` failed.
    ///
    /// @param table - Its name.
    /// @returns Each row by the names of its columns.
    #[wasm_bindgen(unchecked_return_type = "IterableIterator<Record<string, SqliteValue>>")]
    pub fn rows(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] table: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let name = limits::text_of(table).map_err(|too_large| too_large.transcript())?;
        let name = name.ok_or_else(|| refused("schema", "the name of a table must be a string"))?;
        let rows = with(&self.database, |database| Ok(database.rows(&name)))?;
        let Some(rows) = rows else {
            return Err(refused("schema", format!("there is no table {:?}", shorten(&name))));
        };
        let names = strings(&rows.table().columns);
        let walk = SqliteWalk { database: Rc::clone(&self.database), rows: RefCell::new(rows) };
        Ok(rows_of(walk.into(), names))
    }

    /// What was damaged or could not be read, in the tables that were read so far, with offsets in bytes.
    ///
    /// @returns The problems; an empty array if there are none.
    #[wasm_bindgen(unchecked_return_type = "Problem[]")]
    pub fn problems(&self) -> Result<JsValue, JsValue> {
        let found = with(&self.database, |database| Ok(database.problems().clone()))?;
        let _scope = Scope::new();
        let mut list = Problems::new();
        for problem in found.into_sorted() {
            list.report(problem);
        }
        Ok(list.list().take())
    }
}

/// Where an iterator of rows is. For src/wasm/api/sqlite.js, not part of the API.
#[wasm_bindgen(private, skip_typescript)]
pub struct SqliteWalk {
    database: Shared,
    rows: RefCell<SqliteRows>,
}

#[wasm_bindgen]
impl SqliteWalk {
    /// The values of the next row; `undefined` behind the last.
    #[wasm_bindgen(skip_typescript)]
    pub fn values(&self) -> Result<JsValue, JsValue> {
        let row = with(&self.database, |database| match self.rows.try_borrow_mut() {
            Ok(mut rows) => database.next(&mut rows),
            Err(_) => Ok(None),
        })?;
        let Some(row) = row else { return Ok(JsValue::UNDEFINED) };
        let values = row.values.into_iter().map(|value| match value {
            SqliteValue::Null => JsValue::NULL,
            #[allow(clippy::cast_precision_loss)] // it is exact
            SqliteValue::Integer(number) if number.unsigned_abs() < 1 << 53 => {
                JsValue::from_f64(number as f64)
            }
            SqliteValue::Integer(number) => JsValue::from(number),
            SqliteValue::Real(number) => JsValue::from_f64(number),
            SqliteValue::Text(text) => JsValue::from_str(&text),
            SqliteValue::Blob(bytes) => Uint8Array::from(&*bytes).into(),
        });
        Ok(values.collect::<Array>().into())
    }
}
