//! `explore`: the explorer of `web/` on this machine, for use offline.

use clap::Args;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::net::Ipv4Addr;
use tiny_http::{Header, Method, Request, Response, Server};

/// The whole explorer: the page needs no other file.
static PAGE: &[u8] = include_bytes!(env!("TILEWORK_PAGE"));

#[derive(Args)]
pub struct Arguments {
    /// Expressions to begin with, each in a pane of its own
    #[arg(value_name = "EXPR", allow_negative_numbers = true)]
    expressions: Vec<String>,
    /// The port to listen at, on this machine only; a free one where none is given
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Print the address and leave the browser alone
    #[arg(long)]
    no_open: bool,
}

/// Serves until it is interrupted; `false` if it cannot.
pub fn run(arguments: &Arguments) -> io::Result<bool> {
    let port = arguments.port.unwrap_or(0);
    let server = match Server::http((Ipv4Addr::LOCALHOST, port)) {
        Ok(server) => server,
        Err(error) => {
            let in_use = error.downcast_ref::<io::Error>().map(io::Error::kind);
            match in_use {
                Some(io::ErrorKind::AddrInUse) => {
                    anstream::eprintln!("error: port {port} is in use; without --port a free one is taken")
                }
                _ => anstream::eprintln!("error: port {port} cannot be used: {error}"),
            }
            return Ok(false);
        }
    };
    let url = format!("http://{}/{}", server.server_addr(), fragment(&arguments.expressions));
    writeln!(io::stdout(), "{url}\nControl-C ends it.")?;
    io::stdout().flush()?;
    if !arguments.no_open
        && let Err(error) = open::that_detached(&url)
    {
        anstream::eprintln!("no browser was opened ({error}); the address is above");
    }
    for request in server.incoming_requests() {
        // The client may have disconnected.
        let _ = answer(request);
    }
    Ok(true)
}

fn answer(request: Request) -> io::Result<()> {
    if !matches!(request.method(), Method::Get | Method::Head) {
        return request.respond(Response::empty(405));
    }
    let path = request.url().split(['?', '#']).next().unwrap_or_default();
    if !matches!(path, "/" | "/index.html") {
        return request.respond(Response::from_string("not found").with_status_code(404));
    }
    let mut response = Response::from_data(PAGE).with_chunked_threshold(usize::MAX);
    let headers = [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Cache-Control", "no-cache"),
        ("X-Content-Type-Options", "nosniff"),
    ];
    for (name, value) in headers {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    request.respond(response)
}

/// The expressions in the form of the page's address (`web/src/state.ts`); empty without expressions.
fn fragment(expressions: &[String]) -> String {
    let mut out = String::new();
    for expression in expressions {
        out.push_str(if out.is_empty() { "#e=" } else { "&e=" });
        for byte in expression.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b',' | b':' | b'(' | b')' => {
                    out.push(byte.into());
                }
                b' ' => out.push('+'),
                _ => {
                    let _ = write!(out, "%{byte:02X}");
                }
            }
        }
    }
    if !out.is_empty() {
        out.push_str("&v=1");
    }
    out
}
