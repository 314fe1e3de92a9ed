//! gRPC over loopback, as far as Terraform uses it: a function answers each method of the plugin protocol, version 6.

use super::wire::Message;
use bytes::Bytes;
use h2::server::SendResponse;
use std::sync::Arc;

/// What a method gives for a request; nothing for one that isn't served.
pub type Reply = dyn Fn(&str, &[u8]) -> Option<Message> + Send + Sync;

/// Answers on a thread of its own, as long as the process lives; returns the port.
pub fn start(reply: impl Fn(&str, &[u8]) -> Option<Message> + Send + Sync + 'static) -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
        runtime.block_on(serve(listener, Arc::new(reply)));
    });
    port
}

/// The value of `TF_REATTACH_PROVIDERS` for the addresses of providers.
pub fn reattach(port: u16, addresses: &[&str]) -> String {
    let own = serde_json::json!({
        "Protocol": "grpc", "ProtocolVersion": 6, "Pid": std::process::id(), "Test": true,
        "Addr": { "Network": "tcp", "String": format!("127.0.0.1:{port}") },
    });
    let all = addresses.iter().map(|address| ((*address).to_owned(), own.clone()));
    serde_json::Value::Object(all.collect()).to_string()
}

async fn serve(listener: std::net::TcpListener, reply: Arc<Reply>) {
    let listener = tokio::net::TcpListener::from_std(listener).unwrap();
    while let Ok((socket, _)) = listener.accept().await {
        let reply = reply.clone();
        tokio::spawn(async move {
            let Ok(mut connection) = h2::server::handshake(socket).await else { return };
            while let Some(Ok((request, respond))) = connection.accept().await {
                tokio::spawn(answer(request, respond, reply.clone()));
            }
        });
    }
}

async fn answer(request: http::Request<h2::RecvStream>, mut respond: SendResponse<Bytes>, reply: Arc<Reply>) {
    let path = request.uri().path().to_owned();
    let mut body = request.into_body();
    let mut all = Vec::new();
    while let Some(Ok(part)) = body.data().await {
        let _ = body.flow_control().release_capacity(part.len());
        all.extend_from_slice(&part);
    }
    let method = path.strip_prefix("/tfplugin6.Provider/").unwrap_or_default();
    let known = reply(method, all.get(5..).unwrap_or_default());
    let head = http::Response::builder().header("content-type", "application/grpc");
    let Some(message) = known else {
        let _ = respond.send_response(head.header("grpc-status", "12").body(()).unwrap(), true);
        return;
    };
    let Ok(mut stream) = respond.send_response(head.body(()).unwrap(), false) else { return };
    let mut frame = vec![0];
    frame.extend((message.0.len() as u32).to_be_bytes());
    frame.extend(message.0);
    let _ = stream.send_data(frame.into(), false);
    let mut trailers = http::HeaderMap::new();
    trailers.insert("grpc-status", http::HeaderValue::from_static("0"));
    let _ = stream.send_trailers(trailers);
}
