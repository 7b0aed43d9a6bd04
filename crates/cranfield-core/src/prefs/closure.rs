//! The transitive closure of preferences.

use super::relation::{Relation, contains, insert, remove};

/// A hub replaces the direct preferences between two classes if these are at least this many times more numerous.
const HUB_FACTOR: usize = 16;

/// Preferences as given: links between documents, and from documents to others through hubs.
///
/// A hub represents all documents of a class. With it, two classes of a thousand documents need two thousand links
/// instead of a million, so that time and memory are bounded by the number of lines times the number of documents.
#[derive(Debug)]
pub(super) struct Graph {
    docs: usize,
    /// Documents, then hubs.
    nodes: usize,
    links: Vec<(u32, u32)>,
}

impl Graph {
    /// Creates a graph without preferences between `docs` documents.
    pub(super) fn new(docs: usize) -> Self {
        Self {
            docs,
            nodes: docs,
            links: Vec::new(),
        }
    }

    /// Prefers every document of a class to every document of another.
    pub(super) fn prefer(&mut self, upper: &[u32], lower: &[u32]) {
        if upper.len() * lower.len() > HUB_FACTOR * (upper.len() + lower.len()) {
            let hub = self.nodes as u32;
            self.nodes += 1;
            self.links.extend(upper.iter().map(|doc| (*doc, hub)));
            self.links.extend(lower.iter().map(|doc| (hub, *doc)));
        } else {
            let pairs = upper.iter().flat_map(|a| lower.iter().map(|b| (*a, *b)));
            self.links.extend(pairs);
        }
    }

    /// The relation between documents that follows, in which none is preferred to itself. If two different documents
    /// would be preferred to each other, the error is the first such pair in order of numbers.
    pub(super) fn close(mut self) -> Result<Relation, (usize, usize)> {
        self.links.sort_unstable();
        self.links.dedup();
        let mut relation = Relation::new(self.nodes, self.docs);
        if let Some(conflict) = Walk::new(&self).close(&mut relation) {
            return Err(conflict);
        }
        relation.truncate(self.docs);
        for doc in 0..self.docs {
            let mut row = relation.row(doc).to_vec();
            remove(&mut row, doc);
            relation.set_row(doc, &row);
        }
        Ok(relation)
    }
}

/// Tarjan's walk through strongly connected components. It leaves a component only after all that follow from it, so
/// each row is made from rows that are complete already.
#[derive(Debug)]
struct Walk<'a> {
    graph: &'a Graph,
    /// The start of the links of each node.
    starts: Vec<usize>,
    /// When each node was reached, from 1; 0 if it was not.
    reached: Vec<u32>,
    /// The earliest open node that is known to follow from each.
    lowest: Vec<u32>,
    /// Nodes whose component is not complete.
    open: Vec<usize>,
    is_open: Vec<bool>,
    /// The current path, each node with the place of its next link.
    path: Vec<(usize, usize)>,
    clock: u32,
}

impl<'a> Walk<'a> {
    fn new(graph: &'a Graph) -> Self {
        let start = |node| {
            graph
                .links
                .partition_point(|(from, _)| (*from as usize) < node)
        };
        Self {
            graph,
            starts: (0..=graph.nodes).map(start).collect(),
            reached: vec![0; graph.nodes],
            lowest: vec![0; graph.nodes],
            open: Vec::new(),
            is_open: vec![false; graph.nodes],
            path: Vec::new(),
            clock: 0,
        }
    }

    /// Fills in the relation, and returns the first pair of documents that share a component.
    fn close(mut self, relation: &mut Relation) -> Option<(usize, usize)> {
        let mut conflict = None;
        for root in 0..self.graph.nodes {
            if self.reached[root] == 0 {
                self.enter(root);
            }
            while let Some((node, link)) = self.path.pop() {
                if link < self.starts[node + 1] {
                    self.path.push((node, link + 1));
                    self.follow(node, self.graph.links[link].1 as usize);
                } else {
                    let found = self.leave(node, relation);
                    conflict = [conflict, found].into_iter().flatten().min();
                }
            }
        }
        conflict
    }

    fn enter(&mut self, node: usize) {
        self.clock += 1;
        self.reached[node] = self.clock;
        self.lowest[node] = self.clock;
        self.open.push(node);
        self.is_open[node] = true;
        self.path.push((node, self.starts[node]));
    }

    fn follow(&mut self, node: usize, next: usize) {
        if self.reached[next] == 0 {
            self.enter(next);
        } else if self.is_open[next] {
            self.lowest[node] = self.lowest[node].min(self.reached[next]);
        }
    }

    /// Goes back from a node, and completes its component if it is the first node of it.
    fn leave(&mut self, node: usize, relation: &mut Relation) -> Option<(usize, usize)> {
        if let Some((parent, _)) = self.path.last() {
            self.lowest[*parent] = self.lowest[*parent].min(self.lowest[node]);
        }
        if self.lowest[node] < self.reached[node] {
            return None;
        }
        let start = self.open.iter().rposition(|open| *open == node)?;
        let mut component = self.open.split_off(start);
        component.sort_unstable();
        for member in &component {
            self.is_open[*member] = false;
        }
        match component[..] {
            [first, second, ..] if second < self.graph.docs => Some((first, second)),
            _ => {
                self.complete(&component, relation);
                None
            }
        }
    }

    /// Makes the rows of a component from those of the nodes that it links to. It has at most one document; that one
    /// gets into the rows if it links to itself.
    fn complete(&self, component: &[usize], relation: &mut Relation) {
        let mut set = relation.empty_set();
        let links = component
            .iter()
            .flat_map(|node| &self.graph.links[self.starts[*node]..self.starts[*node + 1]]);
        for next in links.map(|(_, next)| *next as usize) {
            // What is in the set already brought what follows from it.
            let is_doc = next < self.graph.docs;
            if is_doc && contains(&set, next) {
                continue;
            }
            if is_doc {
                insert(&mut set, next);
            }
            for (word, more) in set.iter_mut().zip(relation.row(next)) {
                *word |= more;
            }
        }
        for node in component {
            relation.set_row(*node, &set);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Warshall's closure, and the first pair in conflict.
    fn naive(size: usize, pairs: &[(usize, usize)]) -> (Vec<Vec<bool>>, Option<(usize, usize)>) {
        let mut reach = vec![vec![false; size]; size];
        for &(a, b) in pairs {
            reach[a][b] = true;
        }
        for via in 0..size {
            let through = reach[via].clone();
            for row in reach.iter_mut().filter(|row| row[via]) {
                row.iter_mut()
                    .zip(&through)
                    .for_each(|(to, more)| *to |= more);
            }
        }
        let mut all = (0..size).flat_map(|a| (a + 1..size).map(move |b| (a, b)));
        let conflict = all.find(|&(a, b)| reach[a][b] && reach[b][a]);
        (0..size).for_each(|doc| reach[doc][doc] = false);
        (reach, conflict)
    }

    /// Compares the closure of preferences between classes with Warshall's.
    #[track_caller]
    fn check(size: usize, classes: &[(Vec<u32>, Vec<u32>)]) {
        let mut graph = Graph::new(size);
        let mut pairs = Vec::new();
        for (upper, lower) in classes {
            graph.prefer(upper, lower);
            pairs.extend(
                upper
                    .iter()
                    .flat_map(|a| lower.iter().map(|b| (*a as usize, *b as usize))),
            );
        }
        let (expected, conflict) = naive(size, &pairs);
        match graph.close() {
            Err(found) => assert_eq!(Some(found), conflict),
            Ok(closed) => {
                assert_eq!(conflict, None);
                for (a, row) in expected.iter().enumerate() {
                    let found: Vec<_> = (0..size).map(|b| closed.contains(a, b)).collect();
                    assert_eq!(&found, row);
                }
            }
        }
    }

    fn singles(pairs: Vec<(u32, u32)>) -> Vec<(Vec<u32>, Vec<u32>)> {
        pairs.into_iter().map(|(a, b)| (vec![a], vec![b])).collect()
    }

    #[test]
    fn long_chains_need_no_deep_stack() {
        let mut graph = Graph::new(3000);
        (1..3000).for_each(|doc| graph.prefer(&[doc], &[doc - 1]));
        let closed = graph.close().expect("a chain has no conflict");
        assert!(closed.contains(2999, 0) && !closed.contains(0, 2999));
    }

    #[test]
    fn large_classes_go_through_hubs() {
        let class = |from: u32| (from..from + 40).collect::<Vec<_>>();
        check(
            160,
            &[
                (class(0), class(40)),
                (class(40), class(80)),
                (class(100), class(120)),
            ],
        );
        check(
            160,
            &[
                (class(0), class(40)),
                (class(40), class(80)),
                (class(80), class(0)),
            ],
        );
        // Document 39 is in both classes: it is preferred to itself, and to nothing that is preferred to it.
        check(160, &[(class(0), class(39)), (vec![79], vec![80])]);
    }

    proptest! {
        #[test]
        fn closure_is_warshalls(pairs in prop::collection::vec((0u32..12, 0u32..12), 0..40)) {
            check(12, &singles(pairs));
        }

        #[test]
        fn closure_of_an_order_is_warshalls(pairs in prop::collection::vec((0u32..70, 0u32..70), 0..200)) {
            check(70, &singles(pairs.into_iter().map(|(a, b)| (a.max(b), a.min(b))).collect()));
        }

        #[test]
        fn closure_of_classes_is_warshalls(cuts in prop::collection::vec((0u32..90, 1u32..45, 1u32..45), 0..6)) {
            let classes = cuts.into_iter().map(|(from, upper, lower)| {
                let middle = (from + upper).min(89);
                ((from.min(middle)..middle).collect(), (middle..(middle + lower).min(90)).collect())
            });
            check(90, &classes.collect::<Vec<_>>());
        }
    }
}
