//! Columns of numbers as the lines of a text file: the per-line files of a run, at the speed of the run.

/// What stands between, before and behind the cells of a line. All of it is written as it is.
#[derive(Clone, Copy, Debug)]
pub struct RowFormat<'a> {
    /// What stands before each cell: as many as columns.
    pub starts: &'a [String],
    /// What ends a line.
    pub end: &'a str,
    /// A cell without a value.
    pub empty: &'a str,
}

/// One column.
#[derive(Clone, Copy, Debug)]
pub enum Column<'a> {
    /// `values[row] * scale` in as few digits as give it back exactly, as JavaScript writes a number; never `-0`. A value
    /// that is not finite has no text.
    Numbers {
        /// One a row.
        values: &'a [f64],
        /// Every value is multiplied by it.
        scale: f64,
    },
    /// `true` for a value above 0, `false` otherwise; NaN has no text.
    Positive {
        /// One a row.
        values: &'a [f64],
    },
    /// `first`, `first + 1` and so on.
    Count {
        /// The number of the first row.
        first: u64,
    },
    /// A text a row, already quoted as the format wants it.
    Texts {
        /// One a row.
        texts: &'a [String],
    },
    /// The same text in every row, already quoted.
    Constant {
        /// The text.
        text: &'a str,
    },
    /// Texts for some rows; the others have none.
    Sparse {
        /// Rising rows.
        rows: &'a [u32],
        /// One for each of `rows`, already quoted.
        texts: &'a [String],
    },
    /// No row has a value.
    Empty,
}

impl Column<'_> {
    /// The number of rows that the column can fill; `None` for any.
    fn len(&self) -> Option<usize> {
        match self {
            Self::Numbers { values, .. } | Self::Positive { values } => Some(values.len()),
            Self::Texts { texts } => Some(texts.len()),
            Self::Count { .. } | Self::Constant { .. } | Self::Sparse { .. } | Self::Empty => None,
        }
    }
}

/// Writes `rows` lines: every column's cell behind its start, then the end. Nothing for 0 rows.
///
/// # Errors
///
/// What is wrong, when there is not one start a column, a column has another number of values than `rows`, or a sparse
/// column has not one text a row.
pub fn write_rows(
    format: &RowFormat<'_>,
    columns: &[Column<'_>],
    rows: usize,
) -> Result<String, String> {
    if format.starts.len() != columns.len() {
        let (starts, columns) = (format.starts.len(), columns.len());
        return Err(format!("{starts} starts for {columns} columns, expected one each"));
    }
    for (index, column) in columns.iter().enumerate() {
        if let Some(length) = column.len().filter(|&length| length != rows) {
            return Err(format!("column {index} has {length} values, expected {rows}"));
        }
        if let Column::Sparse { rows, texts } = column
            && rows.len() != texts.len()
        {
            let (rows, texts) = (rows.len(), texts.len());
            return Err(format!("column {index} has {texts} texts for {rows} rows"));
        }
    }
    let mut text = String::with_capacity(rows * columns.len() * 12);
    let mut digits = ryu_js::Buffer::new();
    let mut next_sparse = vec![0_usize; columns.len()];
    for row in 0..rows {
        for ((column, start), sparse) in columns.iter().zip(format.starts).zip(&mut next_sparse) {
            text.push_str(start);
            match column {
                Column::Numbers { values, scale } => {
                    let value = values[row] * scale;
                    if value.is_finite() {
                        text.push_str(digits.format_finite(value));
                    } else {
                        text.push_str(format.empty);
                    }
                }
                Column::Positive { values } if values[row].is_nan() => text.push_str(format.empty),
                Column::Positive { values } => {
                    text.push_str(if values[row] > 0.0 { "true" } else { "false" });
                }
                Column::Count { first } => push_integer(&mut text, first + row as u64),
                Column::Texts { texts } => text.push_str(&texts[row]),
                Column::Constant { text: constant } => text.push_str(constant),
                Column::Sparse { rows, texts } => {
                    if rows.get(*sparse).is_some_and(|&sparse_row| sparse_row as usize == row) {
                        text.push_str(&texts[*sparse]);
                        *sparse += 1;
                    } else {
                        text.push_str(format.empty);
                    }
                }
                Column::Empty => text.push_str(format.empty),
            }
        }
        text.push_str(format.end);
    }
    Ok(text)
}

/// Decimal digits without going through `fmt`, which takes several times as long.
fn push_integer(text: &mut String, mut number: u64) {
    let mut digits = [0_u8; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + u8::try_from(number % 10).unwrap_or(0);
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text.extend(digits[start..].iter().map(|&digit| char::from(digit)));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tsv(columns: &[Column<'_>], rows: usize) -> Result<String, String> {
        let starts: Vec<String> =
            (0..columns.len()).map(|index| if index == 0 { "" } else { "\t" }.to_owned()).collect();
        write_rows(&RowFormat { starts: &starts, end: "\n", empty: "-" }, columns, rows)
    }

    #[test]
    fn every_kind_of_column() {
        let texts = ["a".to_owned(), "b".to_owned(), "c".to_owned()];
        let columns = [
            Column::Count { first: 99 },
            Column::Numbers { values: &[0.1, -0.0, f64::NAN], scale: 100.0 },
            Column::Positive { values: &[0.0, f64::MIN_POSITIVE, f64::NAN] },
            Column::Texts { texts: &texts },
            Column::Constant { text: "x" },
            Column::Sparse { rows: &[1], texts: &texts[..1] },
            Column::Empty,
        ];
        let expected =
            "99\t10\tfalse\ta\tx\t-\t-\n100\t0\ttrue\tb\tx\ta\t-\n101\t-\t-\tc\tx\t-\t-\n";
        assert_eq!(tsv(&columns, 3).as_deref(), Ok(expected));
        assert_eq!(tsv(&[], 0).as_deref(), Ok(""));
    }

    #[test]
    fn numbers_are_those_of_javascript() {
        let values = [1.0 / 3.0, 1e21, 1e-7, 123_456_789.0, 5e-324, 0.000_001];
        let text = tsv(&[Column::Numbers { values: &values, scale: 1.0 }], values.len());
        let expected = "0.3333333333333333\n1e+21\n1e-7\n123456789\n5e-324\n0.000001\n";
        assert_eq!(text.as_deref(), Ok(expected));
    }

    #[test]
    fn lengths_must_agree() {
        let short = tsv(&[Column::Numbers { values: &[1.0], scale: 1.0 }], 2);
        assert_eq!(short, Err("column 0 has 1 values, expected 2".to_owned()));
        let sparse = tsv(&[Column::Sparse { rows: &[0], texts: &[] }], 1);
        assert_eq!(sparse, Err("column 0 has 0 texts for 1 rows".to_owned()));
        let format = RowFormat { starts: &[], end: "\n", empty: "" };
        assert!(write_rows(&format, &[Column::Empty], 1).is_err());
    }
}
