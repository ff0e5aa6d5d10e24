//! The sample data source, loaded into real databases.

#![cfg(test)]

mod cluster;
mod command;
mod dataset;
mod pack;
mod pack_file;
mod postgres;
