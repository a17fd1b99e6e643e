//! What mutable references may lead to.

use super::Leads;

/// What may be written through a name in a body whose parameter `p` is a mutable reference.
fn leads(body: &str, name: &str) -> String {
    let body: syn::Block = syn::parse_str(&format!("{{ {body} }}")).unwrap();
    let leads = Leads::of(&body, ["p".to_owned()]);
    let mut found: Vec<_> = leads
        .written(&syn::parse_str(&format!("*{name}")).unwrap())
        .into_iter()
        .collect();
    found.sort();
    found.join(" ")
}

#[test]
fn a_local_leads_to_itself() {
    assert_eq!(leads("let mut a = 1.0;", "a"), "a");
}

#[test]
fn a_reference_leads_to_what_it_is_of() {
    assert_eq!(leads("let r = &mut a;", "r"), "a r");
}

#[test]
fn a_reference_under_another_name_leads_there_too() {
    assert_eq!(leads("let r = &mut a; let q = r;", "q"), "a q r");
}

#[test]
fn a_chosen_reference_leads_to_both() {
    assert_eq!(
        leads("let r = if c { &mut a } else { &mut b };", "r"),
        "a b r"
    );
}

#[test]
fn elements_lead_to_their_memory() {
    let body = "for row in m.iter_mut() { for e in row { *e = 1.0; } }";
    assert_eq!(leads(body, "e"), "e m row");
}

#[test]
fn an_argument_of_a_closure_leads_to_what_it_is_called_with() {
    assert_eq!(
        leads("let put = |r: &mut f64| { *r = 1.0; }; put(&mut a);", "r"),
        "a r"
    );
}

#[test]
fn order_does_not_matter() {
    assert_eq!(
        leads("let mut q = &mut b; loop { q = r; r = &mut a; }", "q"),
        "a b q r"
    );
}

#[test]
fn what_ref_mut_binds_leads_into_the_value() {
    assert_eq!(leads("let (ref mut a, _) = t;", "a"), "a t");
}
