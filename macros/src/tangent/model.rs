//! What a derive knows of a type: its variants and their fields. A struct is an enum of one variant.

use quote::{ToTokens, format_ident, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{DeriveInput, Fields, Generics, Ident, Member, Path, Type, Visibility};

use crate::errors::Errors;

/// A struct or an enum.
pub(crate) struct Data {
    pub(crate) name: Ident,
    pub(crate) generics: Generics,
    pub(crate) variants: Vec<Variant>,
}

/// One form of the type.
pub(crate) struct Variant {
    /// `Self`, or `Self::Name`.
    pub(crate) path: Path,
    /// The name to be read in messages.
    pub(crate) name: String,
    pub(crate) fields: Vec<Field>,
}

/// One field.
pub(crate) struct Field {
    pub(crate) member: Member,
    pub(crate) ty: Type,
    /// Declared `#[tangent(inactive)]`, or a function pointer, which holds no numbers: carried along by `Clone`, without derivative.
    pub(crate) inactive: bool,
    /// Private in a type that is not: its values are those that the type's own functions make.
    pub(crate) guarded: bool,
}

/// Whether values of the type have no derivative, as far as tokens tell.
pub(super) fn is_point(ty: &Type) -> bool {
    const POINTS: [&str; 15] = [
        "bool", "char", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
        "u128", "usize", "String",
    ];
    match ty {
        Type::Path(path) => POINTS.iter().any(|name| path.path.is_ident(name)),
        _ => false,
    }
}

impl Data {
    /// Whether no value of the type has a derivative, as far as tokens tell.
    pub(crate) fn is_a_point(&self) -> bool {
        let mut fields = self.variants.iter().flat_map(|v| &v.fields);
        fields.all(|field| field.inactive || is_point(&field.ty))
    }

    pub(crate) fn parse(input: &DeriveInput, errors: &mut Errors) -> Self {
        refuse_attributes(
            &input.attrs,
            errors,
            "`#[tangent(inactive)]` belongs on a field",
        );
        let is_private = |vis: &Visibility| matches!(vis, Visibility::Inherited);
        let mut variants = match &input.data {
            syn::Data::Struct(data) => vec![Variant::parse(
                syn::parse_quote!(Self),
                &input.ident,
                &data.fields,
                errors,
            )],
            syn::Data::Enum(data) => data
                .variants
                .iter()
                .map(|v| {
                    refuse_attributes(
                        &v.attrs,
                        errors,
                        "mark each field of the variant `#[tangent(inactive)]`",
                    );
                    let name = &v.ident;
                    Variant::parse(syn::parse_quote!(Self::#name), name, &v.fields, errors)
                })
                .collect(),
            syn::Data::Union(data) => {
                errors.at(
                    data.union_token,
                    "a union has no tangent space, since nothing tells which field is there: write an enum",
                );
                Vec::new()
            }
        };
        if let (syn::Data::Struct(data), [itself]) = (&input.data, &mut variants[..]) {
            for (field, written) in itself.fields.iter_mut().zip(&data.fields) {
                field.guarded = is_private(&written.vis) && !is_private(&input.vis);
            }
        }
        Self {
            name: input.ident.clone(),
            generics: input.generics.clone(),
            variants,
        }
    }

    /// Every field of every variant.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &Field> {
        self.variants.iter().flat_map(|v| &v.fields)
    }

    /// The generics with a bound for the type of each field: that it has a tangent space, or a clone if it is inactive.
    ///
    /// A field that contains the type itself gets no bound, since that would go round in circles.
    pub(crate) fn bounded(&self) -> Generics {
        let mut generics = self.generics.clone();
        let mut seen = Vec::new();
        for field in self.fields().filter(|f| !mentions(&f.ty, &self.name)) {
            let ty = &field.ty;
            let bound = if field.inactive {
                quote_spanned!(at(ty)=> #ty: ::core::clone::Clone)
            } else {
                quote_spanned!(at(ty)=> #ty: ::coenzyme::Tangent<Owned = #ty>)
            };
            let bound: syn::WherePredicate = syn::parse_quote!(#bound);
            let text = bound.to_token_stream().to_string();
            if !seen.contains(&text) {
                seen.push(text);
                generics.make_where_clause().predicates.push(bound);
            }
        }
        generics
    }
}

impl Variant {
    fn parse(path: Path, name: &Ident, fields: &Fields, errors: &mut Errors) -> Self {
        let fields = fields.members().zip(fields);
        Self {
            path,
            name: name.to_string(),
            fields: fields.map(|(m, f)| Field::parse(m, f, errors)).collect(),
        }
    }
}

impl Field {
    fn parse(member: Member, field: &syn::Field, errors: &mut Errors) -> Self {
        let mut inactive = matches!(field.ty, Type::FnPtr(_));
        for attribute in field.attrs.iter().filter(|a| a.path().is_ident("tangent")) {
            let parsed = attribute.parse_nested_meta(|meta| {
                if !meta.path.is_ident("inactive") {
                    return Err(
                        meta.error("the only attribute of a field is `#[tangent(inactive)]`")
                    );
                }
                inactive = true;
                Ok(())
            });
            if let Err(error) = parsed {
                errors.push(error);
            }
        }
        if let (Type::Reference(reference), false) = (&field.ty, inactive)
            && !is_text(reference)
        {
            errors.at(
                reference,
                "a shadow owns its memory, so a field with a derivative cannot be a reference: own the data \
                 (`Vec<T>` for `&[T]`), or mark the field `#[tangent(inactive)]`",
            );
        }
        Self {
            member,
            ty: field.ty.clone(),
            inactive,
            guarded: false,
        }
    }

    /// The variable that the field is bound to in a pattern: `a0`, `a_name`.
    pub(crate) fn variable(&self, prefix: char) -> Ident {
        match &self.member {
            Member::Named(name) => format_ident!("{prefix}_{}", name),
            Member::Unnamed(index) => format_ident!("{prefix}{}", index.index),
        }
    }
}

/// `&'static str`: a point, as numbers without derivative are.
fn is_text(reference: &syn::TypeReference) -> bool {
    let forever = matches!(&reference.lifetime, Some(l) if l.ident == "static");
    let is_str = matches!(&*reference.elem, Type::Path(path) if path.path.is_ident("str"));
    forever && reference.mutability.is_none() && is_str
}

/// An error for each `#[tangent(…)]` among `attributes`.
fn refuse_attributes(attributes: &[syn::Attribute], errors: &mut Errors, message: &str) {
    for attribute in attributes.iter().filter(|a| a.path().is_ident("tangent")) {
        errors.at(attribute, message);
    }
}

/// Whether the type called `name`, or `Self`, occurs in `ty`.
fn mentions(ty: &Type, name: &Ident) -> bool {
    struct Finder<'a>(&'a Ident, bool);

    impl<'ast> Visit<'ast> for Finder<'_> {
        fn visit_ident(&mut self, ident: &'ast Ident) {
            self.1 |= ident == self.0 || ident == "Self";
        }
    }

    let mut finder = Finder(name, false);
    finder.visit_type(ty);
    finder.1
}

/// Where a type stands. Paths mean what they mean in this crate, not what they mean in the edition of the user's.
fn at(ty: &Type) -> proc_macro2::Span {
    proc_macro2::Span::call_site().located_at(ty.span())
}
