"""The records that stages exchange, the stream they travel in, and JSON beyond msgspec's reach.

Rule of this room: it imports msgspec and the standard library only, and no other room of mcpeak.
"""
