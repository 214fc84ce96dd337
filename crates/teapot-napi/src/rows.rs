//! The lines of per-line files, written from the arrays of scores.

use napi::bindgen_prelude::{Buffer, Float64Array};
use napi_derive::napi;
use teapot_core::text::rows::{Column, RowFormat, write_rows};

use crate::error::{Code, Error, Result};
use crate::task::guard;

/// What stands between, before and behind the cells of a line.
#[napi(object)]
pub struct RowDialect {
    /// What stands before each cell: as many as columns.
    pub starts: Vec<String>,
    /// What ends a line.
    pub end: String,
    /// A cell without a value.
    pub empty: String,
}

/// One column: `values` or `first` or `texts`; without any of them no row has a value.
#[napi(object)]
pub struct RowColumn {
    /// One a row; NaN has no text.
    pub values: Option<Float64Array>,
    /// Every value is multiplied by it. Default 1.
    pub scale: Option<f64>,
    /// Write `true` for a value above 0 and `false` for others, in place of the values.
    pub positive: Option<bool>,
    /// The number of the first row, counted on from there: an integer from 0 to 2^53 - 1.
    pub first: Option<f64>,
    /// Texts, already quoted as the format wants it: one a row, one for each of `rows`, or a single one for all.
    pub texts: Option<Vec<String>>,
    /// The rising rows that have one of `texts`.
    pub rows: Option<Vec<u32>>,
    /// The only one of `texts` stands in every row.
    pub constant: Option<bool>,
}

impl RowColumn {
    fn column(&self) -> Column<'_> {
        match (&self.values, &self.texts, self.first) {
            (Some(values), ..) if self.positive == Some(true) => Column::Positive { values },
            (Some(values), ..) => Column::Numbers { values, scale: self.scale.unwrap_or(1.0) },
            (_, Some(texts), _) => match (&self.rows, texts.as_slice()) {
                (Some(rows), _) => Column::Sparse { rows, texts },
                (None, [text]) if self.constant == Some(true) => Column::Constant { text },
                (None, _) => Column::Texts { texts },
            },
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a line number, documented as an integer in range; casts saturate"
            )]
            (None, None, Some(first)) => Column::Count { first: first as u64 },
            (None, None, None) => Column::Empty,
        }
    }
}

/// Writes `count` lines as UTF-8: every column's cell behind its start, then the end. Numbers have JavaScript's digits.
///
/// # Errors
///
/// `ERR_TEAPOT_INTERNAL` when a column has another length.
#[napi]
pub fn format_rows(dialect: RowDialect, columns: Vec<RowColumn>, count: u32) -> Result<Buffer> {
    guard(|| {
        let RowDialect { starts, end, empty } = &dialect;
        let format = RowFormat { starts, end, empty };
        let columns: Vec<Column<'_>> = columns.iter().map(RowColumn::column).collect();
        write_rows(&format, &columns, count as usize)
            .map(|text| text.into_bytes().into())
            .map_err(|reason| Error::new(Code::Internal, reason))
    })
}
