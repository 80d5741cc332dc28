//! Databases of SQLite.

use apex_parts::sqlite::{SqliteDatabase, SqliteSource, SqliteTable};

/// Any bytes open as a database or give an error; reading all of it, with the same bytes as its log and without, gives
/// rows with a value for each column, in time that its size bounds; and what an index finds is what was asked for.
pub fn sqlite(data: &[u8]) {
    for log in [None, Some(data.to_vec())] {
        let log = log.map(|log| Box::new(log) as Box<dyn SqliteSource>);
        let Ok(mut database) = SqliteDatabase::open(Box::new(data.to_vec()), log) else { continue };
        let tables: Vec<SqliteTable> = database.tables().take(20).cloned().collect();
        for table in tables {
            let mut rows = database.rows(&table.name).unwrap();
            let mut count = 0;
            while let Some(row) = database.next(&mut rows).unwrap() {
                assert_eq!(row.values.len(), rows.table().columns.len());
                count += 1;
            }
            assert!(count <= data.len());
            for column in table.columns.iter().take(4) {
                let Some(mut rows) = database.rows_where(&table.name, column, "ses_0003").unwrap()
                else {
                    continue;
                };
                let place = rows.table().column_index(column).unwrap();
                while let Some(row) = database.next(&mut rows).unwrap() {
                    assert_eq!(row.values[place].text(), Some("ses_0003"));
                }
            }
        }
        assert!(database.problems().iter().all(|problem| problem.offset.is_some()));
    }
}
