//! The class kernel for texts of a few hundred one-byte symbols: classes are found by their place, not by a hash.

/// Longest text of this kernel; its table then takes 1 MiB.
pub(super) const CAPACITY: usize = 2047;

#[derive(Clone, Copy, Debug, Default)]
struct Live {
    position: u16,
    class: u16,
}

/// Buffers of the direct class kernel.
#[derive(Clone, Debug, Default)]
pub(super) struct Direct {
    /// Class of (shorter class, symbol behind), 0 for none. All 0 between the orders.
    table: Vec<u16>,
    /// Places of `table` in use, one for each live position of b.
    used: Vec<usize>,
    a: Vec<Live>,
    b: Vec<Live>,
    counts_a: Vec<u16>,
    counts_b: Vec<u16>,
}

impl Direct {
    #[inline(never)]
    pub(super) fn matches(&mut self, a: &[u8], b: &[u8], matches: &mut [u64]) {
        matches.fill(0);
        let largest = a.iter().chain(b).copied().max().unwrap_or(0);
        // Odd, so that the entries of one symbol spread over the sets of a cache.
        let stride = (1 + usize::from(largest)) | 1;
        let classes = b.len().max(stride) + 1;
        grow(&mut self.table, classes * stride);
        grow(&mut self.counts_a, classes);
        grow(&mut self.counts_b, classes);
        grow(&mut self.used, b.len());
        let (table, used) = (self.table.as_mut_slice(), self.used.as_mut_slice());
        let (counts_a, counts_b) = (self.counts_a.as_mut_slice(), self.counts_b.as_mut_slice());
        list(a, &mut self.a);
        list(b, &mut self.b);
        let (mut live_a, mut live_b) = (self.a.as_mut_slice(), self.b.as_mut_slice());
        for &s in a {
            counts_a[usize::from(s)] += 1;
        }
        for &s in b {
            counts_b[usize::from(s)] += 1;
        }
        let Some((first, rest)) = matches.split_first_mut() else { return };
        *first = take_matches(&mut counts_a[..stride], &mut counts_b[..stride]);
        for (offset, matches) in (1..).zip(rest) {
            live_a = drop_last(live_a, offset, a.len());
            live_b = drop_last(live_b, offset, b.len());
            if live_a.is_empty() || live_b.is_empty() {
                return;
            }
            let (behind_a, behind_b) = (&a[offset..], &b[offset..]);
            let mut next = 1u16;
            for (live, used) in live_b.iter_mut().zip(used.iter_mut()) {
                let place = usize::from(live.class) * stride
                    + usize::from(behind_b[usize::from(live.position)]);
                let entry = &mut table[place];
                let found = *entry;
                let class = if found == 0 { next } else { found };
                next += u16::from(found == 0);
                *entry = class;
                live.class = class;
                *used = place;
                counts_b[usize::from(class)] += 1;
            }
            let mut kept = 0;
            for n in 0..live_a.len() {
                let Live { position, class } = live_a[n];
                let place =
                    usize::from(class) * stride + usize::from(behind_a[usize::from(position)]);
                let class = table[place];
                counts_a[usize::from(class)] += 1;
                live_a[kept] = Live { position, class };
                kept += usize::from(class != 0);
            }
            live_a = &mut live_a[..kept];
            counts_a[0] = 0;
            kept = 0;
            for n in 0..live_b.len() {
                table[used[n]] = 0;
                let live = live_b[n];
                live_b[kept] = live;
                kept += usize::from(counts_a[usize::from(live.class)] != 0);
            }
            live_b = &mut live_b[..kept];
            let end = usize::from(next);
            *matches = take_matches(&mut counts_a[..end], &mut counts_b[..end]);
        }
    }
}

fn grow<T: Copy + Default>(buffer: &mut Vec<T>, length: usize) {
    if buffer.len() < length {
        buffer.resize(length, T::default());
    }
}

fn list(text: &[u8], live: &mut Vec<Live>) {
    live.clear();
    live.extend((0..).zip(text).map(|(position, &s)| Live { position, class: u16::from(s) }));
}

/// Σ min over the classes, which are then set to 0.
fn take_matches(counts_a: &mut [u16], counts_b: &mut [u16]) -> u64 {
    let sum: u32 = counts_a.iter().zip(counts_b.iter()).map(|(&a, &b)| u32::from(a.min(b))).sum();
    counts_a.fill(0);
    counts_b.fill(0);
    u64::from(sum)
}

fn drop_last(live: &mut [Live], offset: usize, length: usize) -> &mut [Live] {
    let beyond = live.last().is_some_and(|last| usize::from(last.position) + offset >= length);
    let end = live.len() - usize::from(beyond);
    &mut live[..end]
}
