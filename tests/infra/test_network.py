"""The socket that the server listens on."""

import asyncio
import socket
import sys

import pytest

from krru.web.network import TAKEN_A_TURN, listening_socket, several

WAITING = 3 * TAKEN_A_TURN


class Taken(asyncio.Protocol):
    """A connection that is ended as soon as it was made."""

    made = 0

    def connection_made(self, transport: asyncio.Transport) -> None:
        Taken.made += 1
        transport.abort()


async def taken_in_turns(sock: socket.socket) -> list[int]:
    """Take all that waits, and return the turn of the loop in which each was taken."""
    turns: list[int] = []
    turn = 0

    def protocol() -> asyncio.Protocol:
        turns.append(turn)
        return Taken()

    loop = asyncio.get_running_loop()
    servers = [await loop.create_server(protocol, sock=one) for one in several(sock)]
    while Taken.made < WAITING:
        turn += 1
        await asyncio.sleep(0)
    for server in servers:
        server.close()
    return turns


@pytest.mark.skipif(sys.platform == "win32", reason="uvloop is missing there")
def test_of_connections_that_wait_several_are_taken_in_a_turn_of_the_loop():
    import uvloop

    sock = listening_socket("127.0.0.1", 0)
    clients = [socket.create_connection(sock.getsockname()) for _ in range(WAITING)]
    turns = uvloop.run(asyncio.wait_for(taken_in_turns(sock), 10))
    for client in clients:
        client.close()
    assert max(turns.count(turn) for turn in turns) == TAKEN_A_TURN
