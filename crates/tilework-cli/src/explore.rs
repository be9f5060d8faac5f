//! `explore`: the explorer of `web/` on this machine, for use offline.

use crate::report;
use clap::Args;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The whole explorer: the page needs no other file.
static PAGE: &[u8] = include_bytes!(env!("TILEWORK_PAGE"));

const HEADERS: &str = "\
Content-Type: text/html; charset=utf-8\r
Cache-Control: no-cache\r
X-Content-Type-Options: nosniff\r
Connection: close\r
";

/// How many clients are served at a time: the one that came first makes room for the next.
const MAX_CLIENTS: usize = 64;
/// The most bytes of a request that are read.
const MAX_HEAD: u64 = 1 << 16;
/// How long a client may keep the server waiting for the next bytes.
const PATIENCE: Duration = Duration::from_secs(10);

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
    let (server, address) = match listen(port) {
        Ok(listening) => listening,
        Err(error) => {
            let why = match error.kind() {
                io::ErrorKind::AddrInUse => "is in use; without --port a free one is taken".to_string(),
                _ => format!("cannot be used: {error}"),
            };
            report::say(format_args!("error: port {port} {why}"));
            return Ok(false);
        }
    };
    let url = format!("http://{address}/{}", fragment(&arguments.expressions));
    writeln!(io::stdout(), "{url}\nControl-C ends it.")?;
    if !arguments.no_open
        && let Err(error) = open::that_detached(&url)
    {
        report::say(format_args!("no browser was opened ({error}); the address is above"));
    }
    serve(&server);
    Ok(true)
}

fn listen(port: u16) -> io::Result<(TcpListener, SocketAddr)> {
    let server = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    let address = server.local_addr()?;
    Ok((server, address))
}

/// Answers each client in a thread of its own, so that none waits for another: a browser opens connections that it never uses.
fn serve(server: &TcpListener) {
    let mut clients: Vec<(TcpStream, JoinHandle<()>)> = Vec::new();
    for client in server.incoming().flatten() {
        clients.retain(|(_, worker)| !worker.is_finished());
        if clients.len() == MAX_CLIENTS {
            // Its worker ends, since there is nothing more to read. It may have ended by itself.
            let _ = clients.remove(0).0.shutdown(Shutdown::Both);
        }
        // A client that has disconnected has no answer, and neither has one for which there is no thread.
        if let Ok(ours) = client.try_clone()
            && let Ok(worker) = thread::Builder::new().spawn(move || {
                let _ = answer(&client);
                let _ = client.shutdown(Shutdown::Both);
            })
        {
            clients.push((ours, worker));
        }
    }
}

/// Reads one request and answers it.
fn answer(mut client: &TcpStream) -> io::Result<()> {
    client.set_read_timeout(Some(PATIENCE))?;
    client.set_write_timeout(Some(PATIENCE))?;
    let request = request(client)?;
    let mut words = request.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let path = target.split(['?', '#']).next().unwrap_or_default();
    let (status, body) = match (method, path) {
        ("GET" | "HEAD", "/" | "/index.html") => ("200 OK", PAGE),
        ("GET" | "HEAD", _) => ("404 Not Found", &b"not found"[..]),
        _ => ("405 Method Not Allowed\r\nAllow: GET, HEAD", &[][..]),
    };
    write!(client, "HTTP/1.1 {status}\r\nContent-Length: {}\r\n{HEADERS}\r\n", body.len())?;
    if method != "HEAD" {
        client.write_all(body)?;
    }
    Ok(())
}

/// The first line of a request, whose other lines, up to the empty one, say nothing that matters here.
fn request(client: &TcpStream) -> io::Result<String> {
    let mut head = BufReader::new(client.take(MAX_HEAD));
    let (mut first, mut line) = (Vec::new(), Vec::new());
    head.read_until(b'\n', &mut first)?;
    while head.read_until(b'\n', &mut line)? > "\r\n".len() {
        line.clear();
    }
    Ok(String::from_utf8_lossy(&first).into_owned())
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
