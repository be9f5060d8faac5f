//! Values of the notation as their text, in JSON.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::{Debug, Display};
use std::str::FromStr;
use tilework::{
    AnyLayout, Composed, HTuple, Layout, LinearLayout, Pattern, Shape, Strides, Swizzle, Tiler, View,
};

fn survives<T: Serialize + DeserializeOwned + Display + FromStr<Err: Debug>>(text: &str) {
    let value: T = text.parse().unwrap();
    let json = serde_json::to_string(&value).unwrap();
    assert_eq!(json, serde_json::to_string(&value.to_string()).unwrap());
    assert_eq!(serde_json::from_str::<T>(&json).unwrap().to_string(), value.to_string());
}

#[test]
fn values_are_their_text() {
    for text in
        ["(4,8):(8,1)", "((2,3),5):((-1,20),4)", "(4,8):(1@0,1@1)", "(8,4):(1/2,4)", "(8,8):(^9,^1)", "1:0"]
    {
        survives::<Layout>(text);
    }
    survives::<Shape>("(4,(2,3))");
    survives::<HTuple<i64>>("7");
    survives::<Strides>("(1,(1/2,4@0))");
    survives::<Pattern>("(_,(3,_))");
    survives::<Tiler>("<4:1, 8:2>");
    survives::<Swizzle>("Sw<3,4,3>");
    survives::<Composed>("Sw<3,4,3> o (8,64):(64,1)");
    survives::<View>("{7} o (4,8):(8,1)");
    let registers = AnyLayout::Plain(tilework::layout!(((4,8),2):((16,1),8)));
    survives::<LinearLayout>(&LinearLayout::of(&registers, 32).unwrap().to_string());
}

#[test]
fn a_refusal_is_that_of_the_text() {
    let refused = |json| serde_json::from_str::<Layout>(json).unwrap_err().to_string();
    let message = "(4,8):(8".parse::<Layout>().unwrap_err().to_string();
    assert!(refused("\"(4,8):(8\"").starts_with(&message), "{}", refused("\"(4,8):(8\""));
    assert!(refused("[4,8]").contains("text in the notation of layouts"), "{}", refused("[4,8]"));
}
