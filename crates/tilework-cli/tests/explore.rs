//! `explore`: the page on this machine, where it is in the program.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn explore() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilework"));
    command.args(["explore", "--no-open"]);
    command
}

/// A server that ends with the test.
struct Server {
    child: Child,
    url: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It has ended if it cannot be killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(expressions: &[&str]) -> Server {
        let mut child = explore().args(expressions).stdout(Stdio::piped()).spawn().expect("the program runs");
        let mut url = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut url).expect("an address");
        Server { child, url: url.trim_end().to_string() }
    }

    fn address(&self) -> &str {
        self.url.strip_prefix("http://").and_then(|rest| rest.split('/').next()).expect("an address")
    }

    /// Head and body of what the server says.
    fn get(&self, request: &str) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(self.address()).expect("the server listens");
        write!(stream, "{request} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").expect("sent");
        // A server that keeps this client waiting fails the test, and does not stop it.
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("a head");
        (String::from_utf8_lossy(&answer[..end]).to_string(), answer[end + 4..].to_vec())
    }
}

#[test]
fn the_page_is_served_on_this_machine_alone() {
    let server = Server::start(&["let A = (4,8):(8,1)", "A / <2,4>"]);
    assert!(server.address().starts_with("127.0.0.1:"), "{}", server.url);
    assert!(server.url.ends_with("/#e=let+A+%3D+(4,8):(8,1)&e=A+%2F+%3C2,4%3E&v=1"), "{}", server.url);
    for path in ["/", "/index.html", "/?from=here"] {
        let (head, body) = server.get(&format!("GET {path}"));
        assert!(head.starts_with("HTTP/1.1 200") && head.contains("text/html"), "{head}");
        assert!(
            body == include_bytes!("../../../web/dist/index.html"),
            "{path}: the page that web/build made"
        );
    }
    assert!(server.get("GET /../Cargo.toml").0.starts_with("HTTP/1.1 404"));
    assert!(server.get("POST /").0.starts_with("HTTP/1.1 405"));
}

#[test]
fn a_port_in_use_is_said_to_be() {
    let server = Server::start(&[]);
    assert!(server.url.ends_with('/'), "{}", server.url);
    let port = server.address().rsplit(':').next().expect("a port");
    let output = explore().args(["--port", port]).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr).to_string();
    assert_eq!(message, format!("error: port {port} is in use; without --port a free one is taken\n"));
}

/// More of them than the server keeps; a browser that opens connections in advance does the same.
#[test]
fn connections_without_a_request_keep_nobody_waiting() {
    let server = Server::start(&[]);
    let connect = |request: &[u8]| {
        let mut stream = TcpStream::connect(server.address()).expect("the server listens");
        stream.write_all(request).expect("sent");
        stream
    };
    let mut half_open = Vec::new();
    for count in 0..200 {
        half_open.push(connect([&b""[..], b"GET", b"GET / HTTP/1.1\r\nHost: localhost\r\n"][count % 3]));
        if count % 60 == 59 {
            let (head, body) = server.get("GET /");
            assert!(head.starts_with("HTTP/1.1 200") && body.len() > 100_000, "after {count}: {head}");
        }
    }
    // The first of them made room for others; a slow one still has its answer.
    assert!(matches!(half_open[0].read(&mut [0]), Ok(0) | Err(_)), "it is closed");
    let mut slow = connect(b"GET / HTTP/1.1\r\nHost: ");
    server.get("GET /");
    slow.write_all(b"localhost\r\n\r\n").expect("sent");
    let mut answer = Vec::new();
    slow.read_to_end(&mut answer).expect("an answer");
    assert!(answer.starts_with(b"HTTP/1.1 200"));
}
