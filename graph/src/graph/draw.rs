//! Pictures of graphs.

use std::fmt::Write;

use super::{Graph, Node};

/// What a picture has beside the nodes: the outputs.
struct Drawn {
    /// Label, what is said beside it, layer.
    boxes: Vec<(String, String, usize)>,
    /// From, to, the shape that flows.
    arrows: Vec<(usize, usize, String)>,
}

impl Graph {
    fn drawn(&self) -> Drawn {
        let mut layer = vec![0; self.nodes.len()];
        let mut arrows = Vec::new();
        for (i, node) in self.nodes.iter().enumerate() {
            for port in node.call().into_iter().flat_map(|call| &call.inputs) {
                layer[i] = layer[i].max(layer[port.node] + 1);
                arrows.push((port.node, i, self.spec(*port).to_string()));
            }
        }
        let nodes = self.nodes.iter().enumerate();
        let mut boxes: Vec<_> = nodes
            .map(|(i, node)| {
                let said = match node {
                    Node::Call(call) => {
                        let comma = if call.plan.attrs.is_empty() { "" } else { ", " };
                        let name = &call.operation.signature().name;
                        format!("{name}{comma}{}", call.plan.attrs)
                    }
                    Node::Input(spec) => spec.to_string(),
                    Node::Constant(value) => value.spec().to_string(),
                };
                (self.title(i), said, layer[i])
            })
            .collect();
        let lowest = layer.iter().max().map_or(0, |n| n + 1);
        for (k, port) in self.outputs.iter().enumerate() {
            arrows.push((port.node, boxes.len(), self.spec(*port).to_string()));
            boxes.push((format!("out{k}"), String::new(), lowest));
        }
        Drawn { boxes, arrows }
    }

    /// The graph in the language of GraphViz: inputs, calls under the names of their operations, outputs; arrows with types and shapes.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let Drawn { boxes, arrows } = self.drawn();
        let mut dot = format!("digraph {} {{\n", quoted(&self.signature.name));
        for (i, (label, said, _)) in boxes.iter().enumerate() {
            let _ = writeln!(
                dot,
                "  n{i} [label={}, tooltip={}];",
                quoted(label),
                quoted(said)
            );
        }
        for (from, to, shape) in &arrows {
            let _ = writeln!(dot, "  n{from} -> n{to} [label={}];", quoted(shape));
        }
        dot.push_str("}\n");
        dot
    }

    /// The graph as an SVG image, drawn without any tool: layers from top to bottom, by the longest way from the inputs.
    #[must_use]
    pub fn to_svg(&self) -> String {
        const WIDTH: usize = 150;
        const HEIGHT: usize = 70;
        let Drawn { boxes, arrows } = self.drawn();
        let mut filled = vec![0; boxes.iter().map(|b| b.2 + 1).max().unwrap_or(1)];
        let mut place = Vec::new();
        for (_, _, layer) in &boxes {
            place.push((
                filled[*layer] * WIDTH + WIDTH / 2,
                layer * HEIGHT + HEIGHT / 2,
            ));
            filled[*layer] += 1;
        }
        let width = filled.iter().max().map_or(0, |n| n * WIDTH);
        let height = filled.len() * HEIGHT;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\" \
             text-anchor=\"middle\">\n"
        );
        for (from, to, shape) in &arrows {
            let ((a, b), (c, d)) = (place[*from], place[*to]);
            let _ = writeln!(
                svg,
                "<line x1=\"{a}\" y1=\"{}\" x2=\"{c}\" y2=\"{}\" stroke=\"#888\"/><text x=\"{}\" y=\"{}\" font-size=\"8\">{}</text>",
                b + 12,
                d - 12,
                (a + c) / 2,
                (b + d) / 2,
                escaped(shape),
            );
        }
        for ((label, said, _), (x, y)) in boxes.iter().zip(&place) {
            let _ = writeln!(
                svg,
                "<g><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"120\" height=\"24\" rx=\"6\" fill=\"#eef\" stroke=\"#446\"/>\
                 <text x=\"{x}\" y=\"{}\">{}</text></g>",
                escaped(said),
                x - 60,
                y - 12,
                y + 4,
                escaped(label),
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}

/// A text in the language of GraphViz.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A text in XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
